"""LangChain for Python with Responses, Chat Completions and Messages."""

import json
import os

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool

url, key, model, api = (os.environ[name] for name in ("GATEWAY_URL", "GATEWAY_KEY", "MODEL", "API"))
if api == "messages":
    from langchain_anthropic import ChatAnthropic

    chosen = ChatAnthropic(model=model, api_key=key, base_url=url)
else:
    from langchain_openai import ChatOpenAI

    chosen = ChatOpenAI(model=model, api_key=key, base_url=url + "/v1", use_responses_api=api == "responses")


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"Sunny in {city}."


bound = chosen.bind_tools([weather])


def streamed(messages):
    total = None
    for chunk in bound.stream(messages):
        total = chunk if total is None else total + chunk
    return total


def conversation(answer_to):
    """A tool call, its answer, and the answer to a second question."""
    messages = [HumanMessage("How is the weather in Paris?")]
    asked = answer_to(messages)
    call = asked.tool_calls[0]
    result = weather.invoke(call["args"])
    messages += [asked, ToolMessage(result, tool_call_id=call["id"])]
    first = answer_to(messages)
    messages += [first, HumanMessage("And tomorrow?")]
    return [str(first.text), str(answer_to(messages).text)], result


texts, result = conversation(bound.invoke)
print(json.dumps({"texts": texts, "streamed": conversation(streamed)[0], "results": [result]}))
