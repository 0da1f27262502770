"""What the assistant's tools say besides data, in Chinese and English."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mnemic.settings import Locale


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """One thing to say, in each language."""

    zh: str
    en: str

    def in_language(self, locale: Locale) -> str:
        """Return it in one language."""
        return self.zh if locale == "zh" else self.en


DONE: Final[Mapping[str, LocalizedText]] = {
    "memory_add": LocalizedText("记忆添加成功", "Memory added"),
    "memory_search": LocalizedText("搜索完成", "Search completed"),
    "memory_chat": LocalizedText("对话完成", "Chat completed"),
    "memory_get_profile": LocalizedText("配置文件获取成功", "Profile retrieved"),
    "memory_update": LocalizedText("记忆更新成功", "Memory updated"),
    "memory_delete": LocalizedText("记忆已停用", "Memory taken out of use"),
    "memory_list": LocalizedText("记忆列表获取成功", "Memories listed"),
    "conversation_list": LocalizedText("对话列表获取成功", "Conversations listed"),
    "conversation_get": LocalizedText("对话获取成功", "Conversation retrieved"),
    "conversation_delete": LocalizedText("对话删除成功", "Conversation deleted"),
    "memory_erase": LocalizedText("已彻底清除", "Erased"),
}

WRONG: Final[Mapping[str, LocalizedText]] = {
    "INVALID_CONTENT": LocalizedText("内容为空或超出长度限制", "The content is empty or too long"),
    "INVALID_MEMORY_TYPE": LocalizedText("无效的记忆类型", "The memory type is not valid"),
    "INVALID_CONTEXT": LocalizedText("无效的上下文信息", "The context is not valid"),
    "BACKEND_ERROR": LocalizedText("后端服务错误", "The store could not be used"),
    "INVALID_QUERY": LocalizedText("查询为空或超出长度限制", "The query is empty or too long"),
    "INVALID_MEMORY_TYPES": LocalizedText("无效的记忆类型", "The memory types are not valid"),
    "INVALID_LIMIT": LocalizedText("无效的限制数量", "The limit is not valid"),
    "INVALID_MESSAGE": LocalizedText("消息为空或超出长度限制", "The message is empty or too long"),
    "INVALID_MEMORIZING": LocalizedText("无效的记忆开关", "The switch for memorizing is not valid"),
    "INVALID_IMAGE_URI": LocalizedText("无效的图片 URI", "An image URI is not valid"),
    "INVALID_CONVERSATION_ID": LocalizedText("无效的对话 ID", "The conversation id is not valid"),
    "CHAT_SERVICE_ERROR": LocalizedText("对话服务错误", "The chat service failed"),
    "OUT_OF_TIME": LocalizedText("读取文本超时", "The text took too long to read"),
    "PROFILE_NOT_FOUND": LocalizedText("用户配置文件不存在", "There is no profile of that user"),
    "INVALID_USER_ID": LocalizedText("无效的用户 ID", "The user id is not valid"),
    "INVALID_TIME": LocalizedText("无效的时间", "The time is not valid"),
    "INVALID_TIME_ZONE": LocalizedText("无效的时区", "The time zone is not valid"),
    "INVALID_OFFSET": LocalizedText("无效的偏移量", "The offset is not valid"),
    "NOT_FOUND": LocalizedText("记录不存在", "There is nothing with that id"),
    "INVALID_PARAMETER": LocalizedText("无效的参数", "A parameter is not valid"),
    "PAYLOAD_TOO_LARGE": LocalizedText("请求过大", "The request is too large"),
    "AUTH_REQUIRED": LocalizedText("需要密钥", "A key is needed"),
    "AUTH_INVALID_CREDENTIALS": LocalizedText("密钥无效", "The key is not valid"),
    "AUTH_INSUFFICIENT_SCOPE": LocalizedText("权限不足", "The key does not allow this"),
    "HOST_NOT_ALLOWED": LocalizedText("不允许的主机名", "This host is not allowed"),
    "ORIGIN_NOT_ALLOWED": LocalizedText("不允许的来源", "This origin is not allowed"),
    "REQUEST_TIMEOUT": LocalizedText("请求超时", "The request took too long to arrive"),
    "TOO_MANY_REQUESTS": LocalizedText("请求过多", "There are too many requests"),
    "INTERNAL_ERROR": LocalizedText("内部错误", "Mnemic failed inside, which is a bug"),
}
