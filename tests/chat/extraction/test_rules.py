"""What the extractor without a language model promises, turn by turn."""

import pytest

from mnemic.chat.extraction.extraction import (
    RULES,
    Extraction,
    Fact,
    Known,
    KnownFact,
    KnownLoop,
    TurnText,
)
from mnemic.chat.extraction.rules import extract, read
from mnemic.records.conversation import Line
from tests.chat.extraction.reading import THURSDAY


def said(*texts: str, known: Known | None = None) -> Extraction:
    roles = ("user", "assistant")
    lines = tuple(Line(roles[at % 2], text) for at, text in enumerate(texts))
    return extract(TurnText(lines, said_at=THURSDAY), known or Known())


def facts(*texts: str, known: Known | None = None) -> dict[str, str]:
    return {fact.key: fact.value for fact in said(*texts, known=known).facts}


@pytest.mark.parametrize(
    ("english", "chinese", "key"),
    [
        ("My name is Ming.", "我叫小明。", "user.name"),
        ("Please call me Ace.", "叫我阿杰就行。", "user.nickname"),
        ("I live in Hangzhou.", "我住在杭州。", "user.home"),
        ("I am 31 years old.", "我今年31岁。", "user.age"),
        ("I work as a baker.", "我是一名面包师。", "user.job"),
        ("My cat is called Momo.", "我家的猫叫毛毛。", "user.pet.cat.name"),
        ("My daughter is called Lin.", "我女儿叫小林。", "user.daughter.name"),
        ("My birthday is 3 May.", "我的生日是5月3日。", "user.birthday"),
        ("My favourite movie is Alien.", "我最喜欢的电影是《活着》。", "user.favorite.movie"),
        ("I speak French.", "我会说法语。", "user.language.french"),
        ("My email is ann@b.org.", "我的邮箱是ann@b.org。", "user.email"),
        ("I'm using an iPhone 14.", "我用的是iPhone 14。", "user.have.iphone 14"),
        ("My mom is a nurse.", "我妈妈是护士。", "user.mother.job"),
        ("My mother-in-law is called Ann.", "我婆婆叫张兰。", "user.mother-in-law.name"),
        ("We have two cats.", "我家养了两只猫。", "user.pet.cat"),
    ],
)
def test_both_languages_meet_under_one_key(english: str, chinese: str, key: str) -> None:
    assert list(facts(english)) == [key]
    assert list(facts(chinese)) == [key]


@pytest.mark.parametrize(
    "text",
    [
        "I don't have a dog.",
        "If I had a dog, I'd call it Rex.",
        "I wish I lived in Rome.",
        "Do I live in Rome?",
        "I live in Rome, right?",
        'She said "I live in Rome".',
        "My brother says I'm a doctor.",
        "I'm a pirate! Just kidding.",
        "Imagine I'm a doctor.",
        "I used to work as a waiter.",
        "In my novel I am a detective.",
        "I thought I was allergic to nuts.",
        "Maybe I'm allergic to nuts.",
        "I love it!",
        "I like your idea.",
        "I'm a bit tired.",
        "我没有狗。",
        "如果我有一只狗，就叫它旺财。",
        "真希望我住在罗马。",
        "我住在罗马吗？",
        "我住在罗马，对吧？",
        "她说“我住在罗马”。",
        "我哥说我是医生。",
        "我是海盗！开玩笑的。",
        "想象一下我是医生。",
        "我以前是服务员。",
        "小说里我是一名侦探。",
        "我以为我对坚果过敏。",
        "我可能对坚果过敏。",
        "我喜欢你的主意。",
        "我有点累。",
        "我叫了外卖。",
    ],
)
def test_what_is_not_asserted_is_no_fact(text: str) -> None:
    assert facts(text) == {}


@pytest.mark.parametrize(
    "reply",
    [
        "I can help you with that!",
        "As an AI, I don't have feelings, but I love helping people.",
        "I'm happy to help. I like your plan.",
        "我可以帮您。",
        "作为人工智能，我没有名字，也没有宠物。",
        "我很喜欢您的想法！",
    ],
)
def test_the_politeness_of_an_assistant_leaves_nothing(reply: str) -> None:
    result = said("Hello", reply)
    assert (result.facts, result.loops) == ((), ())


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Translate: I am allergic to peanuts.", "Ich bin allergisch gegen Erdnüsse."),
        ("Please proofread: Hello, my name is Sven. I work as a plumber.", "Looks good!"),
        ("Write me a cover letter.", "My name is Jane Doe. I live in Chicago. I'll call you soon."),
        ("Summarise 'I live in Boston. My name is Al.'", "Somebody called Al lives in Boston."),
        ("Here it is:\nBob: I live in Rome.\nSue: My name is Sue.", "Thanks."),
        ("帮我写一份自我介绍", "大家好，我叫李华，今年25岁，来自成都。"),
        ("把下面这句翻译成英语：我对花生过敏。", "I am allergic to peanuts."),
    ],
)
def test_work_on_a_text_is_about_nobody_here(asked: str, answered: str) -> None:
    result = said(asked, answered)
    assert (result.facts, result.loops) == ((), ())


def test_things_that_can_hold_at_once_have_a_key_each() -> None:
    assert set(facts("I'm allergic to peanuts and shellfish.")) == {
        "user.allergy.peanuts",
        "user.allergy.shellfish",
    }
    assert set(facts("我喜欢游泳、爬山和下棋。")) == {
        "user.like.游泳",
        "user.like.爬山",
        "user.like.下棋",
    }


def test_what_is_told_before_a_question_counts() -> None:
    assert facts("I'm allergic to nuts, what can I eat?") == {"user.allergy.nuts": "nuts"}
    assert facts("我对坚果过敏，能吃什么？") == {"user.allergy.坚果": "坚果"}


def _played(*lines: tuple[str, str]) -> dict[str, str]:
    said_by = tuple(
        Line("user" if at % 2 == 0 else "assistant", text, name)
        for at, (name, text) in enumerate(lines)
    )
    facts = extract(TurnText(said_by, said_at=THURSDAY), Known()).facts
    return {fact.key: fact.value for fact in facts}


def test_in_a_role_play_a_fact_is_of_whom_the_text_beside_the_quote_names() -> None:
    found = _played(
        ("Kael", '*I sit down.* "My brother Odo lives in Veldt."'),
        (
            "Mira",
            '"I live in Marrow," says Mira. "I am a baker," the old man growls. Tomas mutters: "My'
            ' wife is a witch." *She nods.* "My father is a baker."',
        ),
    )

    assert found == {
        "kael.brother.odo.home": "Veldt",
        "kael.brother.odo.name": "Odo",
        "mira.home": "Marrow",
        "mira.father.job": "baker",
    }


@pytest.mark.parametrize(
    "text",
    [
        '*Kael enters.* "I own this place," the innkeeper says.',
        "(OOC: brb, I live in Berlin) *nods*",
        "((I live in Berlin)) *nods*",
        "**Tomas:** I live in Berlin.",
        '*grins* "He told me: I live in Berlin."',
        "*微笑* 老掌柜说：“我住在城南。”",
        "（题外话：我住在柏林）*点头*",
        "*She lives in Berlin, I think.*",
    ],
)
def test_what_a_character_does_not_say_of_itself_is_not_the_characters(text: str) -> None:
    assert _played(("Kael", "*waits*"), ("Mira", text)) == {}


def test_a_narrator_and_an_assistant_without_a_name_own_nothing() -> None:
    assert _played(("Kael", "*waits*"), ("Narrator", '"I live in Marrow," says a man.')) == {}
    listed = "1. I love pasta\n2. I live in Rome\n\nMy name is Chef. I have two dogs."
    assert facts("What could I cook?", listed) == {}


def test_the_events_of_two_people_never_share_a_key() -> None:
    lines = (
        Line(
            "user", "My dentist appointment is on Monday. My sister's interview is on 3 May.", "Ann"
        ),
        Line("assistant", "My dentist appointment is on Friday. My interview is on 4 May.", "Ben"),
    )

    found = extract(TurnText(lines, said_at=THURSDAY), Known()).facts

    assert [(fact.key, fact.value) for fact in found] == [
        ("ann.event.dentist appointment", "2026-11-23"),
        ("ann.sister.event.interview", "3 May"),
        ("ben.event.dentist appointment", "2026-11-20"),
        ("ben.event.interview", "4 May"),
    ]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("I have an exam tomorrow at 9 am.", "2026-11-20, 9 am"),
        ("I have an exam next Monday.", "2026-11-23"),
        ("I have an exam in two weeks.", "2026-12-03"),
        ("I have an exam next month.", "2026-12"),
        ("I have an exam on 3 May at 10:30.", "3 May, 10:30"),
        ("我后天下午两点有考试。", "2026-11-21, 下午两点"),
        ("我下周三有考试。", "2026-11-25"),
        ("我下个月5号有考试。", "2026-12-05"),
        ("我5月3日上午十点有考试。", "5月3日, 上午十点"),
    ],
)
def test_a_day_that_is_named_as_seen_from_the_turn_becomes_its_date(text: str, date: str) -> None:
    assert [*facts(text).values()] == [date]
    # Without the time of the turn nobody can tell which day that is.
    untimed = extract(TurnText((Line("user", text),)), Known()).facts
    assert [fact.value for fact in untimed] in ([], [date])


def test_health_matters_more_than_taste_and_the_speaker_more_than_others() -> None:
    def importance(text: str) -> float:
        (fact,) = said(text).facts
        return fact.importance

    assert importance("I'm allergic to nuts.") > importance("I love hiking.")
    assert importance("I live in Rome.") > importance("My sister lives in Rome.")


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I no longer eat meat.", "user.like.meat", "meat"),
        ("I don't work at Siemens anymore.", "user.employer", "Siemens"),
        ("My cat passed away last week.", "user.pet.cat.name", "Momo"),
        ("I hate coffee now.", "user.like.coffee", "coffee"),
        ("我辞职了。", "user.employer", "华为"),
        ("我不喜欢咖啡。", "user.like.咖啡", "咖啡"),
    ],
)
def test_what_no_longer_holds_is_retired_and_nothing_else(text: str, key: str, value: str) -> None:
    known = Known(facts=(KnownFact("f1", key, value), KnownFact("f2", "user.age", "31")))
    assert [one.id for one in said(text, known=known).retirements] == ["f1"]


@pytest.mark.parametrize(
    "text",
    [
        "I'll send you the file tomorrow.",
        "I need to renew my passport.",
        "Remind me to call grandma.",
        "我明天把文件发给你。",
        "我得去续护照。",
        "记得提醒我给奶奶打电话。",
    ],
)
def test_promises_and_plans_stay_open_with_their_dates(text: str) -> None:
    (loop,) = said(text).loops
    day = "tomorrow" if "tomorrow" in text else "明天"
    told = text.replace(day, f"{day} (2026-11-20)" if day.isascii() else f"{day}(2026-11-20)")
    assert told in loop


def test_what_an_assistant_offers_or_advises_stays_not_open() -> None:
    assert said("Hi", "I'll help you book the flights. You need to call the airline.").loops == ()


@pytest.mark.parametrize(
    ("loop", "done", "mentioned"),
    [
        ("user: I'll send you the file tomorrow.", "I sent you the file.", "The file is large."),
        ("user: I need to renew my passport.", "I renewed my passport.", "My passport is red."),
        ("user: I have to buy a tent.", "I bought the tent today.", "I still need a tent."),
        ("user: I need to book a hotel.", "We cancelled the hotel.", "The hotel has a pool."),
        ("用户：我明天把文件发给你。", "文件已经发给你了。", "文件有点大。"),
        ("用户：我得去续护照。", "护照续好了。", "护照还没续。"),
        ("用户：我要买帐篷。", "帐篷买到了。", "帐篷好贵。"),
        ("用户：我要订酒店。", "酒店不用订了。", "那家酒店有泳池。"),
    ],
)
def test_a_loop_closes_when_it_is_done_not_when_it_is_mentioned(
    loop: str, done: str, mentioned: str
) -> None:
    known = Known(loops=(KnownLoop("l1", loop), KnownLoop("l2", "user: I must water the ferns.")))
    assert said(mentioned, known=known).resolutions == ()
    if done:
        (closed,) = said(done, known=known).resolutions
        assert (closed.id, closed.text) == ("l1", done)


def test_a_loop_that_stands_is_mentioned_not_opened_again() -> None:
    standing = "user: I need to renew my passport."
    known = Known(loops=(KnownLoop("l1", standing),))
    assert said("I need to renew my passport!", known=known).loops == (standing,)


def test_a_pet_has_its_name_wherever_that_stands() -> None:
    assert facts("我养了一只叫豆豆的猫。") == facts("我养了一只猫，叫豆豆。")
    assert facts("我养了一只叫豆豆的猫。")["user.pet.cat.name"] == "豆豆"


def test_a_short_turn_is_kept_whole() -> None:
    summary = said("I have a dog. His vet is in Bonn.", "Bonn is nice.").summary
    assert summary == "user: I have a dog. His vet is in Bonn. assistant: Bonn is nice."


def test_the_summary_is_that_of_the_tags_where_there_is_one() -> None:
    turn = TurnText((Line("user", "Hi"),), summaries=("They met.", "It rained."))
    assert extract(turn, Known()).summary == "They met. It rained."


def test_text_in_tags_is_not_searched_for_facts() -> None:
    assert facts("<memo>I live in Rome.</memo> Hello.") == {}


def test_the_summary_tells_who_said_what_and_stays_short() -> None:
    result = said("Hi! I adopted a dog called Rex yesterday. " * 20, "Congratulations! " * 40)
    assert "Rex" in result.summary
    assert result.summary.startswith("user: ")
    assert len(result.summary) <= 320
    assert len(said("我昨天领养了一只狗，叫旺财。" * 30, "恭喜你！" * 60).summary) <= 120


@pytest.mark.parametrize("text", ["ok", "!!!", "好", "👍", "```x = 1```"])
def test_a_turn_with_text_has_a_summary(text: str) -> None:
    assert said(text).summary


def test_every_extraction_says_who_made_it_and_a_turn_is_read_once() -> None:
    turn = TurnText((Line("user", "I live in Rome."),))
    assert extract(turn, Known()).extractor == RULES
    assert read(turn) is read(turn)
    assert extract(turn, Known()).facts == (Fact("user.home", "Rome", importance=0.8),)


def test_a_list_reads_as_sentences_in_a_summary() -> None:
    summary = said("What can I cook?", "1. Fry the onions\n2. Add two tins of tomatoes").summary
    assert summary.endswith("assistant: Fry the onions. Add two tins of tomatoes")
