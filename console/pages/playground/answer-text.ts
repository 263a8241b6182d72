/**
 * What a model wrote, read from an answer or from the data of one event of a stream, in any of the four protocols: text, and
 * the calls of tools as they stand. Empty where it has neither.
 */
export function writtenIn(value: unknown): string {
  const event = fields(value)
  const delta = fields(event['delta'])
  // Messages (a stream's event), then Responses (its events).
  if (event['type'] === 'content_block_delta') return text(delta['text']) || text(delta['partial_json'])
  if (event['type'] === 'content_block_start') return callOf(fields(event['content_block'])['name'])
  if (event['type'] === 'response.output_text.delta' || event['type'] === 'response.function_call_arguments.delta') {
    return text(event['delta'])
  }
  if (event['type'] === 'response.output_item.added') return callOf(fields(event['item'])['name'])
  if (typeof event['type'] === 'string' && event['type'].startsWith('response.')) return ''
  return [
    ...list(event['choices']).flatMap(ofChoice),
    ...list(event['content']).map(ofBlock),
    ...list(event['output']).flatMap((item) => [...list(item['content']).map(ofBlock), ofBlock(item)]),
    ...list(event['candidates']).flatMap((each) => list(fields(each['content'])['parts']).map(ofPart)),
  ].join('')
}

function ofChoice(choice: AnswerFields): readonly string[] {
  const message = fields(choice['delta'] ?? choice['message'])
  const calls = list(message['tool_calls']).map((call) => {
    const named = fields(call['function'])
    return callOf(named['name']) + text(named['arguments'])
  })
  return [text(message['content']), ...calls]
}

function ofBlock(block: AnswerFields): string {
  if (block['type'] === 'tool_use') return callOf(block['name']) + JSON.stringify(block['input'] ?? {})
  if (block['type'] === 'function_call') return callOf(block['name']) + text(block['arguments'])
  return block['type'] === 'text' || block['type'] === 'output_text' ? text(block['text']) : ''
}

function ofPart(part: AnswerFields): string {
  const call = fields(part['functionCall'])
  if (call['name'] !== undefined) return callOf(call['name']) + JSON.stringify(call['args'] ?? {})
  return part['thought'] === true ? '' : text(part['text'])
}

/** The message of an error, of an answer or an event; null: it is none. */
export function errorIn(value: unknown): string | null {
  const event = fields(value)
  const error = fields(event['error'] ?? fields(event['response'])['error'])
  return typeof error['message'] === 'string' ? error['message'] : null
}

/** Reads server-sent events from text as it comes: `push` gives the values of the events that are complete by then. */
export function eventReader(): { push(text: string): readonly unknown[] } {
  let rest = ''
  return {
    push(more) {
      const parts = (rest + more).split(/\r?\n\r?\n/)
      rest = parts.pop() ?? ''
      return parts.flatMap((part) => {
        const data = part
          .split(/\r?\n/)
          .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
          .join('\n')
        if (data === '' || data === '[DONE]') return []
        try {
          return [JSON.parse(data) as unknown]
        } catch {
          return []
        }
      })
    },
  }
}

type AnswerFields = Readonly<Record<string, unknown>>

function fields(value: unknown): AnswerFields {
  return typeof value === 'object' && value !== null ? (value as AnswerFields) : {}
}

function list(value: unknown): readonly AnswerFields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function callOf(name: unknown): string {
  return typeof name === 'string' ? `\n→ ${name} ` : ''
}
