-- The tables of robotmem 0.1, as far as an import reads them, and a few runs of a robot.
create table memories (
    id integer primary key autoincrement, session_id text, collection text not null default 'default',
    type text not null default 'fact', content text not null, human_summary text, context text,
    perception_type text, perception_data blob, perception_metadata text, concept text,
    category text default 'observation', confidence real not null default 0.9,
    decay_rate real not null default 0.01, source text default 'tool',
    scope text default 'project', status text not null default 'active', superseded_by integer,
    invalidated_reason text, invalidated_at text, content_hash text, media_hash text,
    access_count integer default 0, return_count integer default 0, last_accessed text,
    last_validated text, embedding blob, scope_files text default '[]',
    scope_entities text default '[]', created_at text, updated_at text);
create table sessions (
    id integer primary key autoincrement, external_id text unique,
    collection text not null default 'default', context text, session_count integer default 1,
    status text default 'active', client_type text default 'mcp_direct',
    created_at text, updated_at text);
create table session_outcomes (
    id integer primary key autoincrement, session_id text not null, score real, created_at text);
create table memory_tags (
    memory_id integer not null, tag text not null, source text not null default 'auto',
    created_at text, primary key (memory_id, tag));
create table tag_meta (tag text primary key, parent text, display_name text, created_at text);

insert into sessions (external_id, collection, context, status, created_at, updated_at) values
    ('run-1', 'default', '{"robot": "ur5"}', 'ended',
     '2025-05-01T08:00:00.000', '2025-05-01T09:30:00.000'),
    ('run-2', 'default', null, 'active', '2025-05-02T08:00:00.000', '2025-05-02T08:00:00.000'),
    (null, 'default', null, 'active', '2025-05-03T08:00:00.000', '2025-05-03T08:00:00.000'),
    ('run-4', 'default', '{"x": NaN}', 'active', '2025-05-03T08:00:00.000', null);
insert into session_outcomes (session_id, score) values ('run-1', 0.2), ('run-1', 0.8);

insert into memories (session_id, collection, content, context, category, confidence, status,
                      superseded_by, invalidated_reason, invalidated_at, created_at, updated_at)
values
    ('run-1', 'default', 'Eggs break above five newtons',
     '{"source": "learn_tool", "task": {"success": true}}', 'constraint', 0.75, 'active',
     null, null, null, '2025-05-01T08:10:00.250', '2025-05-01T08:20:00.000'),
    ('run-1', 'default', '抓取鸡蛋时力度不要超过五牛',
     '{"source": "learn_tool", "user_context": "在厨房里试过"}', 'code', 0.8, 'active',
     null, null, null, '2025-05-01T08:11:00.000', '2025-05-01T08:11:00.000'),
    ('run-1', 'default', 'The door of the lab opens inwards', '{"source": "learn_tool"}', 'code',
     0.8, 'invalidated', null, 'it opens outwards', '2025-05-04T10:00:00.000',
     '2025-05-01T08:12:00.000', '2025-05-04T10:00:00.000'),
    ('run-1', 'default', 'Pushing the cube twice works', null, 'pattern', 0.8, 'superseded', 5,
     null, null, '2025-05-01T08:13:00.000', '2025-05-01T09:30:00.000'),
    ('run-1', 'default', 'Pushing the cube twice and slowly works', null, 'pattern', 0.8, 'active',
     null, null, null, '2025-05-01T08:14:00.000', '2025-05-01T08:14:00.000'),
    ('run-1', 'kitchen', 'The blue cup slips when wet', 'not an object', 'gossip', 0.8, 'active',
     null, null, null, '2025-05-01T08:15:00.000', '2025-05-01T08:15:00.000'),
    ('lost', 'default', 'Nobody knows this run', null, 'code', 0.8, 'archived',
     null, null, null, '2025-05-01T08:16:00.000', '2025-05-01T08:16:00.000');
insert into memories (session_id, type, content, perception_type, perception_data,
                      perception_metadata, created_at, updated_at)
values ('run-2', 'perception', 'Force while turning the valve', 'tactile', '{"force": [1, 2, 3]}',
        '{"hz": 100}', '2025-05-02T08:01:00.000', '2025-05-02T08:01:00.000'),
       ('run-2', 'perception', 'A picture of the valve', 'visual', x'ff00fe',
        null, '2025-05-02T08:02:00.000', '2025-05-02T08:02:00.000');
insert into memory_tags (memory_id, tag) values (1, 'constraint'), (1, '鸡蛋'), (1, 'gripper');
