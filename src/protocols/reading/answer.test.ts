import { expect, test } from 'vitest'
import { anthropicMessages } from '../anthropic-messages.ts'
import { openaiChat } from '../openai-chat.ts'
import { openaiCompletions } from '../openai-completions.ts'
import { openaiEmbeddings } from '../openai-embeddings.ts'
import { openaiResponses } from '../openai-responses.ts'
import type { Answer } from '../protocol.ts'

/** A body with so many blanks in it is read as a long one. Those around it are taken off before. */
const BLANKS = ' '.repeat(5_000)
const READERS = { openaiChat, openaiCompletions, openaiResponses, anthropicMessages, openaiEmbeddings }

const USAGE = '"usage":{"prompt_tokens":7,"completion_tokens":3,"input_tokens":7,"output_tokens":3,"total_tokens":10}'
const CHOICE = '{"index":0,"finish_reason":"stop","text":"Hi","message":{"role":"assistant","content":"Hi é"}}'
const OUTPUT = '{"type":"message","content":[{"type":"output_text","text":"Hi"}]}'

const BODIES: Readonly<Record<string, string>> = {
  'a chat completion': `{"id":"c1","object":"chat.completion","choices":[${CHOICE}],${USAGE}}`,
  'one that was cut': `{"choices":[${CHOICE.replace('stop', 'length')}],${USAGE}}`,
  'one that ended with an error': `{"choices":[${CHOICE.replace('stop', 'error')}],${USAGE}}`,
  'an error within a choice': `{"choices":[{"error":{"message":"no","code":502}}],${USAGE}}`,
  'an error beside the choices': `{"choices":[],"error":{"message":"no","type":"server_error"}}`,
  'an error that is null': `{"error":null,"choices":[${CHOICE}],${USAGE}}`,
  'no choice': `{"choices":[],${USAGE}}`,
  'no usage': `{"choices":[${CHOICE}]}`,
  'a class of service': `{"service_tier":"flex","choices":[${CHOICE}],${USAGE}}`,
  'a response': `{"id":"resp_1","store":true,"status":"completed","output":[${OUTPUT}],${USAGE}}`,
  'a response that is still to come': `{"id":"resp_1","status":"queued","output":[]}`,
  'a response that was cut': `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[${OUTPUT}],${USAGE}}`,
  'a message': `{"type":"message","stop_reason":"end_turn","content":[{"type":"text","text":"Hi"}],${USAGE}}`,
  'a message that was cut': `{"type":"message","stop_reason":"max_tokens","content":[{"type":"text","text":"Hi"}],${USAGE}}`,
  'an error of Anthropic': `{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`,
  'a status of MiniMax': `{"base_resp":{"status_code":1008,"status_msg":"no money"},"choices":[]}`,
  vectors: `{"object":"list","data":[{"embedding":[1,2]}],${USAGE}}`,
  'a field twice': `{"choices":[],"choices":[${CHOICE}],"usage":{"prompt_tokens":1},${USAGE}}`,
  'names with escapes': `{"cho\\u0069ces":[${CHOICE}],${USAGE}}`,
  'names of all objects': `{"__proto__":{"error":"no"},"constructor":1,"toString":2,"choices":[${CHOICE}],${USAGE}}`,
  'a number that JSON does not know': `{"choices":[${CHOICE}],"usage":{"prompt_tokens":NaN}}`,
  'a control character in a text': `{"message":"a\nb","choices":[${CHOICE}],${USAGE}}`,
  'a byte order mark': `\uFEFF{"choices":[${CHOICE}],${USAGE}}`,
  'a list': `[{"choices":[${CHOICE}]}]`,
  'a text': '"Hi"',
  nothing: '',
  'half of it': `{"choices":[${CHOICE}`,
  'more behind it': `{"choices":[${CHOICE}],${USAGE}} {}`,
  nulls: '{"choices":null,"usage":null,"error":null,"output":null,"content":null}',
}

test.each(Object.entries(BODIES))('short and long, %s reads alike on every wire', (_, body) => {
  for (const [wire, { readAnswer }] of Object.entries(READERS)) {
    for (const about of [undefined, { isTranslated: true, countsCalls: true }] as never[]) {
      const short = seen(readAnswer(Buffer.from(body), about))
      expect(short, wire).toEqual(seen(readAnswer(Buffer.from(body.replace('{', `{${BLANKS}`)), about)))
    }
  }
})

/** What an answer says, with all that it says when it is asked, and without the blanks in it. */
function seen(answer: Answer): unknown {
  if (answer.kind === 'malformed') return answer.why.replace(/byte \d+/, 'a byte')
  const { producedText, ...said } = answer
  if (said.kind === 'failed') return { ...said, text: producedText() }
  return {
    ...said,
    text: producedText(),
    isCut: said.isCut?.(),
    rewritten: said.rewritten?.toString().replace(BLANKS, ''),
  }
}
