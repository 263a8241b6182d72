import { CALL, chat, chatOf, OVERLOADED, USED, ZEROS } from './chat-pieces.ts'
import type { Listed } from './failed-answer.ts'

/** Whole chat completions that failed. */
export const CHAT_WHOLE: readonly Listed[] = [
  ['finish_reason error', chatOf({ finish_reason: 'error' }), 'maximhq/bifrost#5425'],
  [
    'finish_reason error and counts that are null',
    chatOf({ finish_reason: 'error' }, { prompt_tokens: null, completion_tokens: null, total_tokens: 0 }),
    'maximhq/bifrost#5425',
  ],
  [
    'an error in its choice beside half a text',
    chatOf({ finish_reason: 'error', error: OVERLOADED }),
    'BerriAI/litellm#21755',
  ],
  [
    'an error in its choice and a good word',
    chatOf({ finish_reason: 'stop', error: OVERLOADED }),
    'BerriAI/litellm#21755',
  ],
  [
    'an error beside choices',
    chat({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Half' }, finish_reason: 'stop' }],
      error: OVERLOADED,
    }),
    'BerriAI/litellm#21755',
  ],
  ['an error that is a text', '{"error":"upstream connect error","choices":[]}', 'xyOz-dev/Saturn#43'],
  ['finish_reason abort', chatOf({ finish_reason: 'abort' }), 'vllm-project/vllm#57082'],
  ['finish_reason network_error', chatOf({ finish_reason: 'network_error' }), 'BerriAI/litellm#22673'],
  [
    'finish_reason malformed_function_call',
    chatOf({ finish_reason: 'malformed_function_call' }),
    'BerriAI/litellm#21348',
  ],
  [
    'a filter of calls in its finish_reason',
    chatOf({ finish_reason: 'function_call_filter: MALFORMED_FUNCTION_CALL' }),
    'NousResearch/hermes-agent#83882',
  ],
  ['a word in capitals', chatOf({ finish_reason: 'MALFORMED_FUNCTION_CALL' }), 'BerriAI/litellm#22138'],
  [
    'finish_reason load and nothing else',
    chatOf({ message: { role: 'assistant', content: '' }, finish_reason: 'load' }, ZEROS),
    'can1357/oh-my-pi#7465',
  ],
  ['a word that is nowhere documented', chatOf({ finish_reason: 'gave_up' }), 'BerriAI/litellm#23800'],
  [
    'insufficient_system_resource in the middle',
    chatOf({ finish_reason: 'insufficient_system_resource' }),
    'BerriAI/litellm#23800',
  ],
  [
    'an error in its second choice',
    chat({
      choices: [
        { index: 0, message: { role: 'assistant', content: 'One' }, finish_reason: 'stop' },
        { index: 1, message: { role: 'assistant', content: 'Tw' }, finish_reason: 'error' },
      ],
      usage: USED,
    }),
    'BerriAI/litellm#33968',
  ],
  [
    'a call that was cut by an error',
    chatOf({ message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'error' }),
    'damianvtran/local-operator#223',
  ],
  [
    'base_resp 1008 and no choices',
    chat({ choices: null, usage: ZEROS, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    'MiniMax-AI/MiniMax-M2#62',
  ],
  [
    'base_resp 1002 beside an empty choice',
    chat({
      choices: [{ index: 0, message: { role: 'assistant', content: '' } }],
      base_resp: { status_code: 1002, status_msg: 'rate limit' },
    }),
    'langgenius/dify#1336',
  ],
  ['no choice and counts of 0', chat({ choices: [], usage: ZEROS }), 'QuantumNous/new-api#3275'],
  ['no choice and a count', chat({ choices: [], usage: USED }), 'QuantumNous/new-api#1676'],
  [
    'an empty message and counts of 0',
    chatOf({ message: { role: 'assistant', content: '' }, finish_reason: 'stop' }, ZEROS),
    'mario-andreschak/FLUJO#312',
  ],
  [
    'an empty message and no usage',
    chatOf({ message: { role: 'assistant', content: null }, finish_reason: 'stop' }, null),
    'open-legal-products/mike#379',
  ],
  [
    'object error',
    '{"object":"error","message":"The model is overloaded","type":"server_error","code":503}',
    'togethercomputer/together-python#153',
  ],
  ['an empty object', '{}', 'theopenco/llmgateway#3527'],
  ['null', 'null', 'theopenco/llmgateway#3527'],
  ['a page of HTML', '<!DOCTYPE html><html><body>502</body></html>', 'router-for-me/CLIProxyAPI#2907'],
  ['a message of another kind', '{"code":500,"message":"Internal error"}', 'yuki-uix/agent-cost-lab#12'],
  ['a detail', '{"detail":"Not authenticated"}', 'yuki-uix/agent-cost-lab#12'],
]
