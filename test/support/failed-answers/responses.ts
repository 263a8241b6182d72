import { answersOf, data, event, type Listed, type TriedAnswers } from './failed-answer.ts'

const DONE = data('[DONE]')
const ITEM = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Half of', annotations: [] }],
}

function response(fields: object): { id: string; status?: string } {
  const usage = { input_tokens: 20, output_tokens: 4, total_tokens: 24 }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [ITEM],
    usage,
    ...fields,
  } as { id: string }
}

const NO_USE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
const CREATED = event('response.created', { response: response({ status: 'in_progress', output: [], usage: null }) })
const ADDED = event('response.output_item.added', {
  output_index: 0,
  item: { ...ITEM, status: 'in_progress', content: [] },
})
const SAID =
  ADDED + event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Half of' })
const FUNCTION = {
  id: 'fc_1',
  type: 'function_call',
  status: 'in_progress',
  call_id: 'call_1',
  name: 'write_file',
  arguments: '',
}
const FUNCTION_ADDED = event('response.output_item.added', { output_index: 0, item: FUNCTION })
const ARGUED =
  FUNCTION_ADDED +
  event('response.function_call_arguments.delta', {
    item_id: 'fc_1',
    output_index: 0,
    delta: '{"path":"/a","content":"ha',
  })
const ended = (type: string, fields: object): string => event(type, { response: response(fields) })
const SERVER_ERROR = { code: 'server_error', message: 'The server had an error' }

const RESPONSES_WHOLE: readonly Listed[] = [
  ['status failed', JSON.stringify(response({ status: 'failed', error: SERVER_ERROR })), 'PostHog/posthog-js#4366'],
  ['status failed without an error', JSON.stringify(response({ status: 'failed' })), 'PostHog/posthog-js#4366'],
  ['status cancelled', JSON.stringify(response({ status: 'cancelled' })), 'PostHog/posthog-js#4366'],
  [
    'an error beside status completed',
    JSON.stringify(response({ error: SERVER_ERROR })),
    'diegosouzapw/OmniRoute#8210',
  ],
  [
    'an end for a reason that names a failure',
    JSON.stringify(response({ status: 'incomplete', incomplete_details: { reason: 'interrupted' } })),
    'ENTERPILOT/GoModel#866',
  ],
  ['no output and counts of 0', JSON.stringify(response({ output: [], usage: NO_USE })), 'diegosouzapw/OmniRoute#8210'],
  ['no output and no usage', JSON.stringify(response({ output: [], usage: null })), 'theopenco/llmgateway#3505'],
  ['an empty object', '{}', 'theopenco/llmgateway#3527'],
  ['an error and nothing else', JSON.stringify({ error: SERVER_ERROR }), 'yuki-uix/agent-cost-lab#12'],
]

const RESPONSES_STREAMS: readonly Listed[] = [
  [
    'response.failed',
    CREATED + SAID + ended('response.failed', { status: 'failed', error: SERVER_ERROR }),
    'PostHog/posthog-js#4366',
  ],
  [
    'response.failed behind half a call',
    CREATED + ARGUED + ended('response.failed', { status: 'failed', error: SERVER_ERROR }),
    'MadAppGang/claudish#246',
  ],
  [
    'response.completed of status failed',
    CREATED + SAID + ended('response.completed', { status: 'failed', error: SERVER_ERROR }),
    'PostHog/posthog-js#4366',
  ],
  [
    'response.completed with an error',
    CREATED + SAID + ended('response.completed', { error: SERVER_ERROR }),
    'diegosouzapw/OmniRoute#8210',
  ],
  [
    'response.cancelled',
    CREATED + SAID + ended('response.cancelled', { status: 'cancelled' }),
    'PostHog/posthog-js#4366',
  ],
  [
    'response.incomplete for a reason that names a failure',
    CREATED +
      SAID +
      ended('response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'upstream_error' } }),
    'ENTERPILOT/GoModel#866',
  ],
  [
    'an error event',
    CREATED + SAID + event('error', { code: 'server_error', message: 'The server had an error', param: null }),
    'HKUDS/LightRAG#3701',
  ],
  [
    'an error object without a type',
    CREATED + SAID + data({ error: SERVER_ERROR }) + ended('response.completed', {}),
    'brightwave-inc/tidebreak#1122',
  ],
  ['an error object at once', data({ error: SERVER_ERROR }) + DONE, 'brightwave-inc/tidebreak#1122'],
  [
    'no output and counts of 0',
    CREATED + ended('response.completed', { output: [], usage: NO_USE }),
    'diegosouzapw/OmniRoute#8210',
  ],
  [
    'no output and no usage',
    CREATED + ended('response.completed', { output: [], usage: null }),
    'theopenco/llmgateway#3505',
  ],
]

export const responsesAnswers: TriedAnswers = {
  failed: [
    ...answersOf('openai-responses', false, RESPONSES_WHOLE),
    ...answersOf('openai-responses', true, RESPONSES_STREAMS),
  ],
  failedWhereTranslated: [
    ...answersOf('openai-responses', true, [
      [
        'a call that is never done',
        CREATED + ARGUED + ended('response.completed', { output: [] }),
        'earendil-works/pi#9897',
      ],
      [
        'a reason of the future',
        CREATED +
          SAID +
          ended('response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'handed_over' } }),
        'ENTERPILOT/GoModel#866',
      ],
    ]),
  ],
  good: [
    ...answersOf('openai-responses', false, [
      [
        'an end at its limit without a word',
        JSON.stringify(
          response({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }),
        ),
        'BerriAI/litellm#37710',
      ],
      [
        'a filter',
        JSON.stringify(
          response({ status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [], usage: null }),
        ),
        'NVIDIA-NeMo/Switchyard#796',
      ],
    ]),
    ...answersOf('openai-responses', true, [
      [
        'its text in deltas alone',
        CREATED + SAID + ended('response.completed', { output: [], usage: null }),
        'NVIDIA-NeMo/Switchyard#796',
      ],
      [
        'a call in its last event alone',
        CREATED +
          ended('response.completed', { output: [{ ...FUNCTION, arguments: '{}', status: 'completed' }], usage: null }),
        'earendil-works/pi#9897',
      ],
    ]),
  ],
}
