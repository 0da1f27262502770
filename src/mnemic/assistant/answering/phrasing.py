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
    quote: str
    quote_on: str
    foreign_quote: str
    yes: str
    several: str
    also: str
    earlier: str
    noted_on: str
    relative: str
    means: str
    unknown: str
    unknown_then: str
    unknown_reason: str
    no_more: str
    nearest: str
    invite: str
    withheld: str
    nothing_of_time: str
    of_time: str
    of_day: str
    and_more: str
    nobody: str
    about: str
    lately: str
    kept: str
    kept_as: str
    not_kept: str
    already: str
    until_now: str
    bears: str
    request: str
    request_bare: str
    no_deleting: str
    pictures: str
    opening: str
    closing: str
    full_stop: str
    space: str


ENGLISH: Final = AnswerPhrases(
    greeting="Hello! Ask me about anything you have told me, or tell me something to remember.",
    thanks="You're welcome.",
    agreement="All right.",
    farewell="Goodbye! I will keep what you told me.",
    quote="You noted: {quote}",
    quote_on="You noted on {date}: {quote}",
    foreign_quote="Your memory says: {quote}",
    yes="Yes. ",
    several="Here is what I remember:",
    also="Also:",
    earlier="Earlier, on {date}, you noted: {quote}",
    noted_on="noted on {date}",
    relative="noted on {date}, so this means {meant}",
    means="so this means {meant}",
    unknown="I don't know that. None of your memories answers it.",
    unknown_then="I have nothing on that from that time.",
    unknown_reason="I don't know why. Your memories give no reason.",
    no_more="That is all I have on it.",
    nearest="The nearest I have, which does not answer it: {quote}",
    invite="If you tell me, I will remember it.",
    withheld="An entry that matches is marked as sensitive, so I do not quote it here."
    " memory_search shows it.",
    nothing_of_time="I have no memories from then.",
    of_time="This is what I have from then:",
    of_day="This is what I have for {date}:",
    and_more="There are {count} more; memory_search finds them.",
    nobody="I know nothing about you yet. Tell me something, and I can remember it.",
    about="This is what I know about you:",
    lately="Lately:",
    kept="Noted.",
    kept_as="Noted: {quote}",
    not_kept="Understood. I am not keeping this, because this chat is not being memorized.",
    already="I already have that: {quote}",
    until_now="Until now I had: {quote}",
    bears="What I remember that bears on it:",
    request="I can only answer from your memories; for anything beyond them a language model has to"
    " be set up.",
    no_deleting="Nothing was removed: a chat cannot delete memories.",
    request_bare="I have nothing in memory that bears on this.",
    pictures="I did not look at the {count}: without a language model I cannot see pictures.",
    opening="“",
    closing="”",
    full_stop=".",
    space=" ",
)
CHINESE: Final = AnswerPhrases(
    greeting="你好！可以问我你告诉过我的任何事，也可以让我记住新的内容。",
    thanks="不客气。",
    agreement="好的。",
    farewell="再见！你告诉我的内容我都会留着。",
    quote="你记过：{quote}",
    quote_on="你在{date}记过：{quote}",
    foreign_quote="你的记忆里写着：{quote}",
    yes="是的，",
    several="我记得这些：",
    also="另外：",
    earlier="更早的记录（{date}）：{quote}",
    noted_on="记于{date}",
    relative="记于{date}，也就是{meant}",
    means="也就是{meant}",
    unknown="这个我不知道，你的记忆里没有答案。",
    unknown_then="那段时间里没有这方面的记忆。",
    unknown_reason="原因我不知道，你的记忆里没有提到。",
    no_more="关于这个，我知道的就这些了。",
    nearest="最接近的一条（但并不是答案）：{quote}",
    invite="告诉我的话，我会记住。",
    withheld="有一条匹配的内容被标记为敏感，这里不直接引用，可以用 memory_search 查看。",
    nothing_of_time="那段时间没有记忆。",
    of_time="那段时间的记忆有：",
    of_day="{date}的记忆有：",
    and_more="还有 {count} 条，可以用 memory_search 查找。",
    nobody="我还不了解你。告诉我一些关于你的事，我可以记住。",
    about="关于你，我知道这些：",
    lately="最近：",
    kept="记下了。",
    kept_as="记下了：{quote}",
    not_kept="明白了。这次对话不做记录，所以我没有记下来。",
    already="这个我已经记着了：{quote}",
    until_now="在此之前我记的是：{quote}",
    bears="我记得的相关内容：",
    request="我只能根据你的记忆来回答，其他的需要配置语言模型才能做到。",
    no_deleting="没有删除任何内容：对话里不能删除记忆。",
    request_bare="我的记忆里没有与此相关的内容。",
    pictures="{count}我没有看：没有语言模型，我看不了图片。",
    opening="“",
    closing="”",
    full_stop="。",
    space="",
)


def wording_of(language: Literal["en", "zh"]) -> AnswerPhrases:
    """Return the words for answers in a language."""
    return CHINESE if language == "zh" else ENGLISH


def picture_count(language: Literal["en", "zh"], count: int) -> str:
    """Return a number of pictures in words."""
    if language == "zh":
        return "这张图片" if count == 1 else f"这 {count} 张图片"
    return "picture" if count == 1 else f"{count} pictures"
