import type { Hints } from '../../hub/notes.ts'

const LATENCY = 'a hint that makes the same answer come sooner'
const CACHING = 'where and how long a prompt is cached changes its price and speed, not the answer'
const ROUTING = 'which provider serves a model is settled by its targets here'
const ECHO = 'copied by clients from an answer into the next request; it says nothing to the model'
const MADE_ELSEWHERE = 'reasoning in a form that only its vendor can read'
const OWN_NAME = 'a name of the speaker, which other protocols have no place for'
const SHAPE_OF_STREAM = 'how the stream is cut or padded; every client reads it either way'
const REASONING_SHAPE = 'how reasoning is separated from the answer, which each protocol does in its own way'

/** Fields of chat completions that are dropped for another protocol, and why that does no harm. Printed in the docs. */
export const HINTS: Hints = {
  'messages[].name': OWN_NAME,
  'messages[].id': ECHO,
  'messages[].annotations': ECHO,
  'messages[].parsed': ECHO,
  'messages[].provider_specific_fields': ECHO,
  'messages[].tool_calls[].index': ECHO,
  'messages[].tool_calls[].provider_specific_fields': ECHO,
  'messages[].tool_calls[].function.parsed_arguments': ECHO,
  'messages[].thinking_blocks': MADE_ELSEWHERE,
  'messages[].content[].prompt_cache_breakpoint.ttl': CACHING,
  'messages[].content[].image_url.format': 'the type of an image is read from its data',
  'stream_options.include_obfuscation': SHAPE_OF_STREAM,
  'stream_options.continuous_usage_stats': SHAPE_OF_STREAM,
  tool_stream: SHAPE_OF_STREAM,
  reasoning_format: REASONING_SHAPE,
  reasoning_split: REASONING_SHAPE,
  'reasoning.summary': REASONING_SHAPE,
  'thinking.clear_thinking': REASONING_SHAPE,
  'thinking.keep': REASONING_SHAPE,
  preserve_thinking: REASONING_SHAPE,
  store: 'whether the provider keeps a copy for its own console',
  prediction: LATENCY,
  prompt_cache_options: CACHING,
  prompt_cache_retention: CACHING,
  usage: 'the usage is always reported',
  models: ROUTING,
  route: ROUTING,
  'provider.order': ROUTING,
  'provider.only': ROUTING,
  'provider.ignore': ROUTING,
  'provider.sort': ROUTING,
  'provider.allow_fallbacks': ROUTING,
  'provider.require_parameters': ROUTING,
  'provider.quantizations': ROUTING,
  'provider.max_price': ROUTING,
  session_id: 'groups requests in the provider’s own console',
}
