import { framesOf } from '../aws-frames.ts'
import { answersOf, data, type Listed, type TriedAnswers, type UpstreamAnswer } from './failed-answer.ts'

const USAGE = { inputTokens: 20, outputTokens: 4, totalTokens: 24 }
const ZEROS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

function answer(content: unknown, fields: object): string {
  const output = content === undefined ? {} : { output: { message: { role: 'assistant', content } } }
  return JSON.stringify({ ...output, stopReason: 'end_turn', usage: USAGE, metrics: { latencyMs: 9 }, ...fields })
}

/** An event of Converse, whose name is not in its data. */
function converseEvent(name: string, fields: object): string {
  return `event: ${name}\n${data(fields)}`
}

const HALF = [{ text: 'Half of' }]
const START = converseEvent('messageStart', { role: 'assistant' })
const TEXT = converseEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Half of' } })
const BLOCK_STOP = converseEvent('contentBlockStop', { contentBlockIndex: 0 })
const TOOL_START = converseEvent('contentBlockStart', {
  contentBlockIndex: 0,
  start: { toolUse: { toolUseId: 'tooluse_1', name: 'write_file' } },
})
const TOOL =
  TOOL_START +
  converseEvent('contentBlockDelta', {
    contentBlockIndex: 0,
    delta: { toolUse: { input: '{"path":"/a","content":"ha' } },
  })
const stopped = (stopReason: string): string => converseEvent('messageStop', { stopReason })
const metadata = (usage: object): string => converseEvent('metadata', { usage, metrics: { latencyMs: 9 } })
const STOP = stopped('end_turn') + metadata(USAGE)
const exception = (name: string): string => converseEvent(name, { message: 'It broke off.' })

/** The beginning of a stream, for those that break off by their frames. */
export const CONVERSE_BEGUN = START + TEXT
export const CONVERSE_END = BLOCK_STOP + STOP

const WHOLE: readonly Listed[] = [
  [
    'stopReason malformed_model_output',
    answer(HALF, { stopReason: 'malformed_model_output' }),
    'anomalyco/opencode#46193',
  ],
  [
    'stopReason malformed_tool_use',
    answer(HALF, { stopReason: 'malformed_tool_use' }),
    'UKGovernmentBEIS/inspect_ai#2941',
  ],
  ['a word that names a failure', answer(HALF, { stopReason: 'error' }), 'agentjido/req_llm#1033'],
  [
    'a refusal with a good status',
    JSON.stringify({ message: 'The model returned the following errors: messages.1: Expected `thinking`' }),
    'Portkey-AI/gateway#1142',
  ],
  ['an error beside half a text', answer(HALF, { error: { message: 'busy' } }), 'unslothai/unsloth#10811'],
  ['an empty object', '{}', 'theopenco/llmgateway#3527'],
  ['no content and counts of 0', answer([], { usage: ZEROS }), 'earendil-works/pi#1117'],
  ['an empty text and counts of 0', answer([{ text: '' }], { usage: ZEROS }), 'earendil-works/pi#1117'],
  ['no output and counts of 0', answer(undefined, { usage: ZEROS }), 'earendil-works/pi#1117'],
]

const STREAMS: readonly Listed[] = [
  ['an exception in the middle', START + TEXT + exception('modelStreamErrorException'), 'aaif-goose/goose#9579'],
  ['a throttling in the middle', START + TEXT + exception('throttlingException') + STOP, 'aaif-goose/goose#9579'],
  ['an exception behind its start', START + exception('internalServerException'), 'agentjido/req_llm#1033'],
  ['nothing but an exception', exception('serviceUnavailableException'), 'quarkiverse/quarkus-langchain4j#1672'],
  [
    'an exception behind the end of its message',
    START + TEXT + BLOCK_STOP + stopped('end_turn') + exception('internalServerException'),
    'agentjido/req_llm#1033',
  ],
  ['no end of its message', START + TEXT + BLOCK_STOP, 'NousResearch/hermes-agent#109988'],
  ['usage and no end of its message', START + TEXT + BLOCK_STOP + metadata(USAGE), 'anomalyco/opencode#46065'],
  ['a call and no end of its message', START + TOOL + BLOCK_STOP, 'BerriAI/litellm#32686'],
  ['a call that an exception cut', START + TOOL + exception('modelTimeoutException'), 'BerriAI/litellm#32686'],
  [
    'stopReason malformed_tool_use behind a call',
    START + TOOL + BLOCK_STOP + stopped('malformed_tool_use'),
    'anomalyco/opencode#46193',
  ],
  [
    'stopReason malformed_model_output',
    START + TEXT + BLOCK_STOP + stopped('malformed_model_output') + metadata(USAGE),
    'anomalyco/opencode#46193',
  ],
  ['nothing and counts of 0', START + stopped('end_turn') + metadata(ZEROS), 'earendil-works/pi#1117'],
  [
    'an empty text and counts of 0',
    START +
      converseEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: '' } }) +
      BLOCK_STOP +
      stopped('end_turn') +
      metadata(ZEROS),
    'earendil-works/pi#1117',
  ],
  [
    'an error in an event',
    START + TEXT + converseEvent('contentBlockDelta', { error: { message: 'upstream failed' } }) + CONVERSE_END,
    'BerriAI/litellm#41826',
  ],
]

const FAILED_STREAMS_OF_WORDS: readonly Listed[] = [
  [
    'a stopReason of the future',
    START + TEXT + BLOCK_STOP + stopped('handed_over') + metadata(USAGE),
    'UKGovernmentBEIS/inspect_ai#2941',
  ],
  ['a call that is never closed', START + TOOL + stopped('tool_use') + metadata(USAGE), 'BerriAI/litellm#32686'],
]

export const converseAnswers: TriedAnswers = {
  failed: [...answersOf('bedrock-converse', false, WHOLE), ...framed([...STREAMS, ...FAILED_STREAMS_OF_WORDS])],
  failedWhereTranslated: [],
  good: [
    ...answersOf('bedrock-converse', false, [
      ['nothing and a count', answer([], {}), 'posit-dev/chatlas#429'],
      [
        'no message, as a guardrail intervened',
        answer(undefined, { stopReason: 'guardrail_intervened', usage: ZEROS }),
        'posit-dev/chatlas#429',
      ],
      ['a full context', answer(HALF, { stopReason: 'model_context_window_exceeded' }), 'anomalyco/opencode#46193'],
      [
        'an empty thought that is signed',
        answer([{ reasoningContent: { reasoningText: { text: '', signature: 'EqQB' } } }], { usage: ZEROS }),
        'posit-dev/chatlas#429',
      ],
      [
        'a call without arguments',
        answer([{ toolUse: { toolUseId: 'tooluse_1', name: 'write_file', input: {} } }], { stopReason: 'tool_use' }),
        'maximhq/bifrost#5206',
      ],
    ]),
    ...framed([
      [
        'usage before the end of its message',
        START + TEXT + BLOCK_STOP + metadata(USAGE) + stopped('end_turn'),
        'anomalyco/opencode#46065',
      ],
      ['no usage', START + TEXT + BLOCK_STOP + stopped('end_turn'), 'anomalyco/opencode#38712'],
      [
        'metrics alone',
        START + TEXT + BLOCK_STOP + stopped('end_turn') + converseEvent('metadata', { metrics: { latencyMs: 4 } }),
        'anomalyco/opencode#38712',
      ],
      [
        'a call without arguments and counts of 0',
        START + TOOL_START + BLOCK_STOP + stopped('tool_use') + metadata(ZEROS),
        'maximhq/bifrost#5206',
      ],
      [
        'a full context',
        START + TEXT + BLOCK_STOP + stopped('model_context_window_exceeded') + metadata(USAGE),
        'anomalyco/opencode#46193',
      ],
      [
        'events that are not known',
        START + converseEvent('padding', { p: 'abc' }) + TEXT + CONVERSE_END,
        'floci-io/floci#3043',
      ],
    ]),
  ],
}

function framed(list: readonly Listed[]): readonly UpstreamAnswer[] {
  return answersOf('bedrock-converse', true, list).map((each) => ({
    ...each,
    frames: framesOf('bedrock-converse', each.bytes),
  }))
}
