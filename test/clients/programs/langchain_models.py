"""LangChain for Python with Responses and with Messages."""

import json
import os

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]
if os.environ["API"] == "messages":
    from langchain_anthropic import ChatAnthropic

    chosen = ChatAnthropic(model=model, api_key=key, base_url=url)
else:
    from langchain_openai import ChatOpenAI

    chosen = ChatOpenAI(model=model, api_key=key, base_url=url + "/v1", use_responses_api=True)


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"Sunny in {city}."


bound = chosen.bind_tools([weather])
messages = [HumanMessage("How is the weather in Paris?")]
asked = bound.invoke(messages)
call = asked.tool_calls[0]
result = weather.invoke(call["args"])
messages += [asked, ToolMessage(result, tool_call_id=call["id"])]
answer = bound.invoke(messages)
streamed = "".join(chunk.text for chunk in bound.stream(messages))
print(json.dumps({"text": str(answer.text), "streamed": streamed, "results": [result]}))
