import type { Hints } from '../../hub/notes.ts'

/** Fields of tools, wherever tools stand. */
const OF_TOOLS: Hints = {
  defer_loading: 'the tool is known to the model at once instead of when it is searched for',
  allowed_callers: 'the model calls tools directly and never from a program of its own',
  output_schema: 'it describes what the client sends anyway',
  async: 'results come with the next request, as of every tool',
}

const PLACES_OF_TOOLS = ['tools[]', 'tools[].tools[]', 'input[].tools[]', 'input[].tools[].tools[]']

/** What a provider's own tools did in the past; the answer that came of it is in a message of its own. */
export const ITEMS_OF_HOSTED_TOOLS: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'program',
  'program_output',
])

/** What may be dropped of a responses request when it is carried to another wire. */
export const HINTS: Hints = {
  client_metadata: 'notes of the client about itself',
  context_management:
    'the provider is to shorten long conversations by itself; without it, one that is too long is refused',
  image: 'how the provider keeps images of the past',
  include: 'extra data about tools that the provider runs, which other providers don’t have',
  max_tool_calls: 'it limits calls of tools that the provider runs, and there are none',
  prompt_cache_options: 'how the provider keeps prompts; other providers have other ways',
  prompt_cache_retention: 'how long the provider keeps prompts; other providers have other times',
  'reasoning.context': 'which reasoning of the past the provider uses; all that the request holds is carried',
  'reasoning.mode': 'a way of thinking that only its provider has',
  store: 'nothing is stored: each request holds its whole conversation',
  stream_options: 'padding against eavesdroppers, which other wires don’t have',
  truncation: 'the provider is to drop the beginning of a conversation that is too long; without it, that is refused',
  user: 'it says the same as `safety_identifier`, which is carried',
  'input[].async': 'results come with the next request, as of every tool',
  'input[].caller': 'the model calls tools directly and never from a program of its own',
  'input[].created_by': 'a note about an item of the past',
  'input[].encrypted_function_args': 'a note about an item of the past',
  'input[].internal_chat_message_metadata_passthrough': 'notes of the client about itself',
  'input[].parsed_arguments': 'it says the same as `arguments`, which are carried',
  'input[].phase': 'whether a message of the past was a comment or the answer',
  'input[].content[].annotations': 'sources of a text of the past; the text is carried',
  'input[].content[].detail': 'how closely a document is looked at',
  'input[].content[].logprobs': 'how likely a text of the past was; the text is carried',
  'input[].content[].parsed': 'it says the same as `text`, which is carried',
  'input[].content[].prompt_cache_breakpoint': 'where the provider is to cut what it keeps',
  'input[].output[].detail': 'how closely a document is looked at',
  'input[].output[].prompt_cache_breakpoint': 'where the provider is to cut what it keeps',
  'input[].item_reference':
    'what a provider was to store of an answer whose tool calls are sent whole, and reasoning; others are refused',
  'input[].tool_search_call': 'the provider searched for tools; those that it found are carried',
  'input[].tool_search_output': 'the provider searched for tools; those that it found are carried',
  ...Object.fromEntries(
    [...ITEMS_OF_HOSTED_TOOLS].map((type) => [
      `input[].${type}`,
      'what a tool did that its provider runs; the answer is carried',
    ]),
  ),
  ...Object.fromEntries(
    PLACES_OF_TOOLS.flatMap((place) => Object.entries(OF_TOOLS).map(([field, why]) => [`${place}.${field}`, why])),
  ),
}
