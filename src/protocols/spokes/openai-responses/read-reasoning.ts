import type { FieldReader } from '../../hub/field-reader.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'
import type { TurnList } from './turn-list.ts'

/** A `reasoning` item of the past. One that holds nothing is none. */
export function readReasoning(item: FieldReader, turns: TurnList): void {
  const [id, encrypted] = [item.string('id'), item.string('encrypted_content')]
  const [content, summary] = [readTexts(item, 'content'), readTexts(item, 'summary')]
  const text = joinedReasoning(content.length > 0 ? content : summary)
  const opaque = encrypted === null ? null : openOpaque(encrypted, 'openai', id === null ? {} : { id })
  // Named for what is lost where it cannot be carried.
  const at = item.path(encrypted === null ? 'summary' : 'encrypted_content')
  if (text !== '' || opaque !== null) turns.addAnswer({ kind: 'reasoning', text, opaque, at })
}

/** Parts of a summary are paragraphs with headings of their own. */
export function joinedReasoning(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

function readTexts(item: FieldReader, field: string): readonly string[] {
  return (item.objects(field) ?? []).map((part) => {
    part.raw('type')
    const text = part.string('text') ?? ''
    part.end()
    return text
  })
}
