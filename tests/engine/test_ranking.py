"""What decides the order: neighbours in a run, who is asked about, and where it happened."""

from mnemic import Draft, Query
from mnemic.engine.ranking import signals_of, with_signals
from mnemic.opening import OpenMemory
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
    say_in_one_run(warm, "Where are the spare keys?", "In the drawer.", "Thank you.")
    assert len(found(warm, "spare keys")) == 2

    warm.forget(2, reason="they are not")

    assert found(warm, "spare keys") == ["Where are the spare keys?", "Thank you."]
    assert found(open_it(), "spare keys") == ["Where are the spare keys?", "Thank you."]
    warm.forget(1, reason="never asked")
    assert found(warm, "spare keys") == found(open_it(), "spare keys") == []


def test_a_changed_memory_moves_to_the_end_of_its_run_in_every_process(open_it: OpenIt) -> None:
    warm = open_it()
    say_in_one_run(warm, "Where are the spare keys?", "In the drawer.", "Thank you.")
    found(warm, "spare keys")

    warm.revise(1, "Who has the spare keys now?")

    assert found(warm, "spare keys") == ["Who has the spare keys now?", "Thank you."]
    assert found(open_it(), "spare keys") == ["Who has the spare keys now?", "Thank you."]


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
    assert hits[0].signals == {"speaker": 1.6}


def test_signals_are_named_and_add_up() -> None:
    context = {"env": {"sim_or_real": "real"}, "speaker": "Anna"}

    signals = signals_of(context, asked={"anna"})

    assert signals == {"real_world": 1.5, "speaker": 1.6}
    assert with_signals(0.0, signals) > with_signals(0.0, {"speaker": 1.6}) > 0
    assert signals_of(context, asked={"ben"}) == {"real_world": 1.5}
    assert signals_of({"env": "real", "speaker": 7}, asked={"7"}) == {}


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
