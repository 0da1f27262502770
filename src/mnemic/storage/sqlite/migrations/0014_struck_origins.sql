-- What an item was made of that a person deleted: a fork keeps it away, too. Of what was deleted before
-- nobody knows it.
alter table struck add column origin text;
