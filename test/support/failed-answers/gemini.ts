import { answersOf, data, type Listed, type TriedAnswers } from './failed-answer.ts'

function candidates(
  candidate: object,
  usage: object | null = { promptTokenCount: 20, candidatesTokenCount: 4, totalTokenCount: 24 },
): object {
  const content = { role: 'model', parts: [{ text: 'Half of' }] }
  return {
    candidates: [{ index: 0, content, ...candidate }],
    ...(usage === null ? {} : { usageMetadata: usage }),
    modelVersion: 'm',
  }
}

const PIECE = data(candidates({}, null))
const FUNCTION_CALL = { role: 'model', parts: [{ functionCall: { name: 'write_file', args: {} } }] }
const ABORTED = { error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' } }

const GEMINI_WORDS: readonly (readonly [word: string, from: string])[] = [
  ['MALFORMED_FUNCTION_CALL', 'googleapis/python-genai#1836'],
  ['UNEXPECTED_TOOL_CALL', 'agentjido/req_llm#944'],
  ['TOO_MANY_TOOL_CALLS', 'google-gemini-php/client#137'],
  ['MALFORMED_RESPONSE', 'BerriAI/litellm#22138'],
  ['MISSING_THOUGHT_SIGNATURE', 'BerriAI/litellm#21348'],
  ['OTHER', 'BerriAI/litellm#21348'],
]

const GEMINI_WHOLE: readonly Listed[] = [
  ...GEMINI_WORDS.map(
    ([word, from]) => [`finishReason ${word}`, JSON.stringify(candidates({ finishReason: word })), from] as const,
  ),
  [
    'a malformed call and no content',
    JSON.stringify(candidates({ content: undefined, finishReason: 'MALFORMED_FUNCTION_CALL' })),
    'pydantic/pydantic-ai#3095',
  ],
  [
    'a call that is said to be malformed',
    JSON.stringify(candidates({ content: FUNCTION_CALL, finishReason: 'MALFORMED_FUNCTION_CALL' })),
    'NousResearch/hermes-agent#83886',
  ],
  ['an error', JSON.stringify(ABORTED), 'mozilla-ai/any-llm#1202'],
  [
    'an error beside half a text',
    JSON.stringify({ ...candidates({ finishReason: 'STOP' }), ...ABORTED }),
    'mozilla-ai/any-llm#1202',
  ],
  [
    'no candidates',
    JSON.stringify({ usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 } }),
    'QuantumNous/new-api#1676',
  ],
  ['an empty object', '{}', 'theopenco/llmgateway#3527'],
  [
    'no content and no counts',
    JSON.stringify(candidates({ content: { role: 'model' }, finishReason: 'STOP' }, null)),
    'BerriAI/litellm#24462',
  ],
]

const GEMINI_STREAMS: readonly Listed[] = [
  ...GEMINI_WORDS.map(
    ([word, from]) =>
      [`finishReason ${word}`, PIECE + data(candidates({ content: undefined, finishReason: word })), from] as const,
  ),
  [
    'a malformed call at once',
    data(candidates({ content: undefined, finishReason: 'MALFORMED_FUNCTION_CALL' })),
    'google-gemini/gemini-cli#12965',
  ],
  ['an error in the middle', PIECE + data(ABORTED), 'brightwave-inc/tidebreak#1122'],
  ['an error in a list', `${PIECE}data: [${JSON.stringify(ABORTED)}]\n\n`, 'brightwave-inc/tidebreak#1122'],
  ['an error without its field name', `${PIECE}${JSON.stringify(ABORTED)}\n\n`, 'brightwave-inc/tidebreak#1122'],
  [
    'no content and no counts',
    data(candidates({ content: { role: 'model' }, finishReason: 'STOP' }, null)),
    'BerriAI/litellm#24462',
  ],
  ['an error event with a text', `${PIECE}event: error\ndata: upstream failed\n\n`, 'BerriAI/litellm#41826'],
]

export const geminiAnswers: TriedAnswers = {
  failed: [...answersOf('gemini', false, GEMINI_WHOLE), ...answersOf('gemini', true, GEMINI_STREAMS)],
  failedWhereTranslated: [
    ...answersOf('gemini', false, [
      [
        'a finishReason of the future',
        JSON.stringify(candidates({ finishReason: 'HANDED_OVER' })),
        'BerriAI/litellm#22138',
      ],
    ]),
  ],
  good: [
    ...answersOf('gemini', false, [
      [
        'a prompt that was blocked',
        JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } }),
        'vertesia/llumiverse#199',
      ],
      [
        'finishReason SAFETY and no content',
        JSON.stringify(candidates({ content: undefined, finishReason: 'SAFETY' }, null)),
        'vertesia/llumiverse#199',
      ],
    ]),
    ...answersOf('gemini', true, [
      [
        'a prompt that was blocked',
        data({ promptFeedback: { blockReason: 'OTHER' }, usageMetadata: { promptTokenCount: 9 } }),
        'vertesia/llumiverse#199',
      ],
      [
        'a picture and no count',
        data(
          candidates(
            {
              content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
              finishReason: 'STOP',
            },
            null,
          ),
        ),
        'BerriAI/litellm#24462',
      ],
    ]),
  ],
}
