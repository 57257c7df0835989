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
question = [{"role": "user", "content": "How is the weather in Paris?"}]
asked = client.responses.create(model=model, input=question, tools=[weather])
call = next(item for item in asked.output if item.type == "function_call")
result = f"Sunny in {json.loads(call.arguments)['city']}."
question += [item.model_dump(exclude_none=True) for item in asked.output]
question.append({"type": "function_call_output", "call_id": call.call_id, "output": result})
answer = client.responses.create(model=model, input=question, tools=[weather])
with client.responses.stream(model=model, input=question, tools=[weather]) as stream:
    kinds = [event.type for event in stream]
    final = stream.get_final_response()
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
parsed = client.responses.parse(model=model, input="Where? Answer as JSON.", text_format=Weather)
print(
    json.dumps(
        {
            "text": answer.output_text,
            "streamed": final.output_text,
            "results": [result],
            "parsed": parsed.output_parsed.city,
        }
    )
)
