"""OpenAI's client for Python: Responses created, streamed and parsed."""

import json
import os

from openai import OpenAI
from pydantic import BaseModel

client = OpenAI(base_url=os.environ["GATEWAY_URL"] + "/v1", api_key=os.environ["GATEWAY_KEY"])
model = os.environ["MODEL"]


class Weather(BaseModel):
    city: str


weather = {
    "type": "function",
    "name": "weather",
    "description": "The weather of a city.",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


def whole(items):
    return client.responses.create(model=model, input=items, tools=[weather])


def streamed(items):
    with client.responses.stream(model=model, input=items, tools=[weather]) as stream:
        kinds = [event.type for event in stream]
        assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
        return stream.get_final_response()


def conversation(answer_to):
    """The documented loop: everything that came goes back, then a second question."""
    items = [{"role": "user", "content": "How is the weather in Paris?"}]
    asked = answer_to(items)
    call = next(item for item in asked.output if item.type == "function_call")
    result = f"Sunny in {json.loads(call.arguments)['city']}."
    items += asked.output
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": result})
    first = answer_to(items)
    items += first.output
    items.append({"role": "user", "content": "And tomorrow?"})
    return [first.output_text, answer_to(items).output_text], result


texts, result = conversation(whole)
parsed = client.responses.parse(model=model, input="Where? Answer as JSON.", text_format=Weather)
assert parsed.output_parsed.city, parsed
print(json.dumps({"texts": texts, "streamed": conversation(streamed)[0], "results": [result]}))
