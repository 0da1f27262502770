"""What decides the order: neighbours in a run, who is asked about, and where it happened."""

from mnemic import Draft, Query, Scope
from mnemic.memory.texts.context_words import PriorUtterance, embedding_text
from mnemic.opening import OpenMemory
from mnemic.records.memory import DEFAULT_SCOPE
from tests.conftest import OpenIt


def say_in_one_run(memory: OpenMemory, *texts: str) -> None:
    episode, _ = memory.start_episode()
    memory.remember_many([Draft(text, episode_id=episode.id, dedup=False) for text in texts])


def found(memory: OpenMemory, text: str) -> list[str]:
    return [hit.memory.content for hit in memory.recall(Query(text)).hits]


def test_an_answer_is_found_by_the_words_of_the_question_before_it(memory: OpenMemory) -> None:
    say_in_one_run(memory, "Where do you keep the spare keys?", "Under the blue flower pot.")
    say_in_one_run(memory, "The weather is fine today.", "We could walk.")

    assert found(memory, "spare keys") == [
        "Where do you keep the spare keys?",
        "Under the blue flower pot.",
    ]


def test_what_came_next_counts_more_than_what_came_before(memory: OpenMemory) -> None:
    say_in_one_run(memory, "Good morning.", "Where are the spare keys?", "In the drawer.")

    assert found(memory, "spare keys") == [
        "Where are the spare keys?",
        "In the drawer.",
        "Good morning.",
    ]


def test_runs_do_not_reach_into_each_other(memory: OpenMemory) -> None:
    say_in_one_run(memory, "Where are the spare keys?")
    say_in_one_run(memory, "In the drawer.")

    assert found(memory, "spare keys") == ["Where are the spare keys?"]


def test_those_beside_a_forgotten_memory_become_neighbours_in_every_process(
    open_it: OpenIt,
) -> None:
    warm = open_it()
    say_in_one_run(warm, "Where are the spare keys?", "In the drawer.", "Thank you.", "Bye.")
    assert len(found(warm, "spare keys")) == 3

    warm.forget(2, reason="they are not")

    left = ["Where are the spare keys?", "Thank you.", "Bye."]
    assert found(warm, "spare keys") == found(open_it(), "spare keys") == left
    warm.forget(1, reason="never asked")
    assert found(warm, "spare keys") == found(open_it(), "spare keys") == []


def test_a_changed_memory_moves_to_the_end_of_its_run_in_every_process(open_it: OpenIt) -> None:
    warm = open_it()
    say_in_one_run(warm, "Where are the spare keys?", "In the drawer.", "Thank you.", "Bye.")
    found(warm, "spare keys")

    warm.revise(1, "Who has the spare keys now?")

    left = ["Who has the spare keys now?", "Bye.", "Thank you."]
    assert found(warm, "spare keys") == found(open_it(), "spare keys") == left


def test_neighbours_count_in_a_small_scope_of_a_large_store_as_well(open_it: OpenIt) -> None:
    memory = open_it()
    say_in_one_run(memory, "Where are the spare keys?", "In the drawer.")
    alone = [hit.bm25_score for hit in memory.recall(Query("spare keys")).hits]
    others = [{"insight": f"keys number{number}", "collection": "other"} for number in range(50)]
    memory.robot.learn_many(others)

    crowded = memory.recall(Query("spare keys")).hits

    assert [hit.bm25_score for hit in crowded] == alone
    assert [hit.memory.content for hit in crowded] == found(memory, "spare keys")


def test_what_the_named_person_said_counts_more(memory: OpenMemory) -> None:
    memory.remember(Draft("the blue pot Anna likes", context={"speaker": "Anna"}, dedup=False))
    memory.remember(Draft("Anna likes the blue pot", context={"speaker": "Ben"}, dedup=False))
    memory.remember(Draft("the hall is long", context={"speaker": "Ben"}))

    hits = memory.recall(Query("What does Anna's heart like: the blue pot?")).hits

    assert hits[0].memory.context["speaker"] == "Anna"
    assert hits[0].signals["speaker"] == 1.0
    assert "speaker" not in hits[1].signals


def test_a_word_that_nearly_every_memory_holds_does_not_steer_the_meaning(
    open_it: OpenIt,
) -> None:
    memory = open_it(embedder="hashing")
    memory.remember_many(
        [Draft(f"Anna: {text}", dedup=False) for text in ("I bake bread", "I swim", "It rains")]
    )

    named = memory.recall(Query("Anna bread", mode="vec_only")).hits
    unnamed = memory.recall(Query("bread", mode="vec_only")).hits

    assert [hit.cosine for hit in named] == [hit.cosine for hit in unnamed]


def test_a_memory_is_found_by_what_its_context_says(memory: OpenMemory) -> None:
    memory.remember(Draft("it slipped twice", context={"task": {"object": "TeaMug", "n": 3}}))
    memory.remember(Draft("it opened at once", context={"task": {"object": "fridge_door"}}))

    assert found(memory, "mug") == ["it slipped twice"]
    assert found(memory, "door") == ["it opened at once"]


def test_a_context_that_is_a_whole_log_does_not_drown_its_text(memory: OpenMemory) -> None:
    log = {"log": [f"line{number} written" for number in range(500)]}
    memory.remember(Draft("the cup is red", context=log))

    assert found(memory, "cup") == ["the cup is red"]
    assert found(memory, "line499") == []


def test_what_was_said_on_the_day_that_is_asked_about_comes_first(memory: OpenMemory) -> None:
    for day in ("2024-01-05", "2024-06-07", "2024-11-20"):
        context = {"ts": f"{day}T10:00:00Z"}
        memory.remember(Draft("we went for a walk by the sea", context=context, dedup=False))
    memory.remember(Draft("a walk with no time known", dedup=False))

    hits = memory.recall(Query("the walk on 7 June 2024", mode="bm25_only")).hits

    assert hits[0].memory.context["ts"].startswith("2024-06-07")
    assert hits[0].signals["date"] == 1.0
    assert len(hits) == 4, "a date is a boost and hides nothing"


def test_the_whole_run_counts_where_a_single_text_says_little(memory: OpenMemory) -> None:
    say_in_one_run(
        memory,
        "Our trip to the mountains starts soon.",
        "We packed the tents for the mountains.",
        "The weather looks good.",
        "What about food?",
        "Bread and cheese for everybody.",
    )
    say_in_one_run(memory, "The office party is on Friday.", "Bread and cheese for everybody.")

    hits = memory.recall(Query("bread for the trip to the mountains", limit=10)).hits
    bread = [hit for hit in hits if hit.memory.content.startswith("Bread")]

    assert bread[0].memory.id == 5


def test_a_question_is_rarely_the_answer(memory: OpenMemory) -> None:
    memory.remember(Draft("The spare keys are with the blue neighbour", dedup=False))
    memory.remember(Draft("Are the spare keys with the blue neighbour?", dedup=False))

    hits = memory.recall(Query("spare keys with the blue neighbour")).hits

    assert hits[0].memory.id == 1
    assert hits[1].signals["asks"] < 0


def test_an_answer_is_embedded_with_the_question_it_answers() -> None:
    asked = PriorUtterance("Nice day. Where is the violin?", "anna")

    by_ben = embedding_text("Under the stairs.", {"speaker": "Ben"}, asked)
    by_anna = embedding_text("Under the stairs.", {"speaker": "Anna"}, asked)

    assert by_ben == "Where is the violin? Under the stairs."
    assert by_anna == "Under the stairs.", "nobody answers themselves"
    assert embedding_text(
        "在楼下。", {"speaker": "本"}, PriorUtterance("你好。琴在哪？", "安")
    ) == ("琴在哪？ 在楼下。")


def test_a_memory_is_embedded_with_what_its_context_is_about() -> None:
    context = {"ts": "2024-06-07", "speaker": "Ben", "task": {"object": "TeaMug", "id": "run_7"}}

    assert embedding_text("It slipped.", context, None) == "It slipped. Tea Mug run"


def test_vectors_made_later_are_those_made_at_once(open_it: OpenIt) -> None:
    words = open_it()
    run, _ = words.start_episode()
    for name, text in (("Anna", "Where is the violin?"), ("Ben", "Under the stairs.")):
        context = {"speaker": name, "room": {"kind": "music hall"}}
        words.remember(Draft(text, context=context, episode_id=run.id))
    at_once = open_it(embedder="hashing")
    twin, _ = at_once.start_episode(Scope("collection", "twin"))
    for name, text in (("Anna", "Where is the violin?"), ("Ben", "Under the stairs.")):
        context = {"speaker": name, "room": {"kind": "music hall"}}
        at_once.remember(Draft(text, twin.scope, context=context, episode_id=twin.id))
    at_once.embed_missing()

    def cosines(scope: Scope) -> list[tuple[str, float | None]]:
        hits = at_once.recall(Query("violin hall", scopes=(scope,), mode="vec_only")).hits
        return [(hit.memory.content, hit.cosine) for hit in hits]

    assert cosines(DEFAULT_SCOPE) == cosines(twin.scope)
