"""The words of an answer's own, in both languages."""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class AnswerPhrases:
    """Everything that an answer says besides what it quotes."""

    greeting: str
    thanks: str
    agreement: str
    farewell: str
    several: str
    counted: str
    source: str
    relative: str
    until: str
    unknown: str
    unknown_then: str
    no_more: str
    withheld: str
    of_time: str
    and_more: str
    nobody: str
    about: str
    kept: str
    kept_as: str
    not_kept: str
    already: str
    bears: str
    request: str
    no_deleting: str
    forgotten: str
    corrected: str
    brings_back: str
    stays: str
    brought_back: str
    nothing_to_forget: str
    which_one: str
    forget_all: str
    pictures: str
    opening: str = "“"
    closing: str = "”"
    full_stop: str = "."


ENGLISH: Final = AnswerPhrases(
    greeting="Hello! Ask me about anything you have told me, or tell me something to remember.",
    thanks="You're welcome.",
    agreement="All right.",
    farewell="Goodbye! I will keep what you told me.",
    several="This is what I remember:",
    counted="I find {count} of your memories on this:",
    source="{said} ({remark}) [{id}]",
    relative="{date}, so this means {meant}",
    until="Until {date}: {said}",
    unknown="I don't know that: none of your memories comes close. If you tell me, I will remember"
    " it.",
    unknown_then="I have no memories from then.",
    no_more="That is all I have on it.",
    withheld="An entry that matches is marked as sensitive, so I do not quote it here."
    " memory_list shows it with reveal.",
    of_time="This is what I have from then:",
    and_more="There are {count} more; memory_search finds them.",
    nobody="I know nothing about you yet. Tell me something, and I can remember it.",
    about="This is what I know about you:",
    kept="Noted.",
    kept_as="Noted: {quote}",
    not_kept="Understood. I am not keeping this, because this chat is not being memorized.",
    already="I already have that:",
    bears="What I remember that bears on it:",
    request="I can only answer from your memories; for anything beyond them a language model has to"
    " be set up.",
    no_deleting="Nothing was removed: memory_delete removes a memory by its id.",
    forgotten="I took this out of use:",
    corrected="Corrected. I had {old}; now it is:",
    brings_back="Say “undo that” to bring it back.",
    stays="This comes close, too, and stays:",
    brought_back="Brought back:",
    nothing_to_forget="I have nothing like that, so there was nothing to forget.",
    which_one="Which of these do you mean? Nothing was forgotten; memory_delete takes an id.",
    forget_all="I do not forget everything on a word in a chat. `memory_erase` with"
    " everything: true removes it for ever.",
    pictures="I did not look at the {count}: without a language model I cannot see pictures.",
)
CHINESE: Final = AnswerPhrases(
    greeting="你好！可以问我你告诉过我的任何事，也可以让我记住新的内容。",
    thanks="不客气。",
    agreement="好的。",
    farewell="再见！你告诉我的内容我都会留着。",
    several="我记得这些：",
    counted="相关的记忆有 {count} 条：",
    source="{said}（{remark}）[{id}]",
    relative="记于{date}，也就是{meant}",
    until="到{date}为止：{said}",
    unknown="这个我不知道，没有相近的记忆。告诉我的话，我会记住。",
    unknown_then="那段时间没有记忆。",
    no_more="关于这个，我知道的就这些了。",
    withheld="有一条匹配的内容被标记为敏感，这里不直接引用，可以用 memory_list 加 reveal 查看。",
    of_time="那段时间的记忆有：",
    and_more="还有 {count} 条，可以用 memory_search 查找。",
    nobody="我还不了解你。告诉我一些关于你的事，我可以记住。",
    about="关于你，我知道这些：",
    kept="记下了。",
    kept_as="记下了：{quote}",
    not_kept="明白了。这次对话不做记录，所以我没有记下来。",
    already="这个我已经记着了：",
    bears="我记得的相关内容：",
    request="我只能根据你的记忆来回答，其他的需要配置语言模型才能做到。",
    no_deleting="没有删除任何内容：可以用 memory_delete 按编号删除。",
    forgotten="这些已经停用：",
    corrected="已更正。原来记的是{old}，现在是：",
    brings_back="说“撤销”就可以恢复。",
    stays="这些也很接近，没有动：",
    brought_back="已恢复：",
    nothing_to_forget="没有这方面的记忆，所以没有什么可忘的。",
    which_one="你指的是哪一条？目前什么都没有忘；可以用 memory_delete 按编号删除。",
    forget_all="对话里的一句话不会让我忘掉一切。memory_erase 加 everything: true 会永久清除。",
    pictures="{count}我没有看：没有语言模型，我看不了图片。",
    full_stop="。",
)


def wording_of(language: Literal["en", "zh"]) -> AnswerPhrases:
    """Return the words for answers in a language."""
    return CHINESE if language == "zh" else ENGLISH


def picture_count(language: Literal["en", "zh"], count: int) -> str:
    """Return a number of pictures in words."""
    if language == "zh":
        return "这张图片" if count == 1 else f"这 {count} 张图片"
    return "picture" if count == 1 else f"{count} pictures"
