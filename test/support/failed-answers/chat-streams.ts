import { CALLED, CALLED_BY_NAME, chunk, delta, DONE, HALF, OVERLOADED, ROLE, USAGE, ZEROS } from './chat-pieces.ts'
import { data, type Listed } from './failed-answer.ts'

/** Streams of chat completions that failed. */
export const CHAT_STREAMS: readonly Listed[] = [
  ['finish_reason error', HALF + delta({}, 'error') + DONE, 'BerriAI/litellm#33968'],
  ['finish_reason error and usage', HALF + delta({}, 'error') + USAGE + DONE, 'BerriAI/litellm#33968'],
  [
    'finish_reason error at once',
    delta({ role: 'assistant', content: '' }, 'error') + DONE,
    'diegosouzapw/OmniRoute#8210',
  ],
  [
    'an error object without a choice',
    chunk({ choices: [], error: { code: 502, message: 'Worker local total request limit reached (33/32)' } }) + DONE,
    'diegosouzapw/OmniRoute#8210',
  ],
  [
    'an error object beside finish_reason error',
    HALF +
      chunk({
        error: { code: 'server_error', message: 'Provider disconnected' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }) +
      DONE,
    'damianvtran/local-operator#223',
  ],
  [
    'an error in its choice',
    HALF + chunk({ choices: [{ index: 0, delta: {}, finish_reason: null, error: OVERLOADED }] }) + DONE,
    'vercel/ai#2720',
  ],
  ['finish_reason abort', HALF + delta({}, 'abort') + USAGE + DONE, 'vllm-project/vllm#57082'],
  [
    'finish_reason abort with a space',
    `${HALF}data: {"id":"c","choices": [{"index": 0, "delta": {}, "finish_reason": "abort"}]}\n\n${DONE}`,
    'sgl-project/sglang#6693',
  ],
  ['finish_reason network_error', HALF + delta({ content: '' }, 'network_error') + DONE, 'BerriAI/litellm#22673'],
  [
    'finish_reason MALFORMED_FUNCTION_CALL',
    ROLE + delta({}, 'MALFORMED_FUNCTION_CALL') + USAGE + DONE,
    'google-gemini/gemini-cli#12674',
  ],
  ['finish_reason load', delta({ role: 'assistant', content: '' }, 'load') + DONE, 'langchain-ai/langchain#31482'],
  ['a word that is nowhere documented', HALF + delta({}, 'gave_up') + DONE, 'CherryHQ/cherry-studio#16079'],
  ['a call that was cut by an error', CALLED + delta({}, 'error') + DONE, 'NousResearch/hermes-agent#105189'],
  [
    'a call that was cut before its arguments',
    CALLED_BY_NAME + delta({}, 'error') + DONE,
    'NousResearch/hermes-agent#81017',
  ],
  [
    'a call that was cut by an error object',
    `${CALLED}data: {"error":{"message":"overloaded","type":"server_error"}}\n\n${DONE}`,
    'brightwave-inc/tidebreak#1122',
  ],
  [
    'object error and the mark for the end',
    data({ object: 'error', message: 'The model is overloaded', code: 503 }) + DONE,
    'togethercomputer/together-python#153',
  ],
  [
    'object error in the middle',
    HALF + data({ object: 'error', message: 'CUDA out of memory', type: 'InternalServerError', code: 500 }) + DONE,
    'vllm-project/vllm#52852',
  ],
  [
    'an event named error',
    `${HALF}event: error\ndata: {"message":"upstream failed"}\n\n${DONE}`,
    'BerriAI/litellm#41826',
  ],
  [
    'an event named error with a text',
    `${HALF}event: error\ndata: upstream failed\n\n${DONE}`,
    'BerriAI/litellm#41826',
  ],
  [
    'a text that speaks of an error',
    `${HALF}data: error: connection reset by peer\n\n${DONE}`,
    'QuantumNous/new-api#5289',
  ],
  [
    'a page of HTML as its only event',
    `data: <html>502 Bad Gateway</html>\n\n${DONE}`,
    'router-for-me/CLIProxyAPI#2907',
  ],
  [
    'base_resp 1008 at once',
    data({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }) + DONE,
    'MiniMax-AI/MiniMax-M2#62',
  ],
  [
    'base_resp 1027 beside its usage',
    HALF +
      chunk({ choices: [], usage: { total_tokens: 4 }, base_resp: { status_code: 1027, status_msg: 'sensitive' } }) +
      DONE,
    'langgenius/dify#1336',
  ],
  ['nothing but the mark for the end', DONE, 'open-legal-products/mike#379'],
  ['no choice and counts of 0', chunk({ choices: [], usage: ZEROS }) + DONE, 'QuantumNous/new-api#3275'],
  [
    'an empty message and counts of 0',
    ROLE + delta({}, 'stop') + chunk({ choices: [], usage: ZEROS }) + DONE,
    'QuantumNous/new-api#3275',
  ],
  [
    'an error in its second choice',
    chunk({
      choices: [
        { index: 0, delta: { content: 'One' }, finish_reason: null },
        { index: 1, delta: {}, finish_reason: 'error' },
      ],
    }) +
      delta({}, 'stop') +
      DONE,
    'BerriAI/litellm#33968',
  ],
]
