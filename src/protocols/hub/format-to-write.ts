import type { ModelFacts } from '../../models/facts.ts'
import { outputSchema } from './output-schema.ts'
import type { OutputFormat } from './request-settings.ts'
import type { UpstreamCall } from './spoke.ts'

/**
 * Takes the format of the answer as the model's facts allow it; null: none is asked for. Throws the fault `request_invalid`
 * where the model cannot keep to it: an answer in another form would look like what was asked for.
 */
export function takeFormat(
  { settings, facts }: UpstreamCall,
  hasTools: boolean,
): OutputFormat | null {
  const format = settings.take('format')
  if (format === null) return null
  if (hasTools && !facts.tools_with_format) {
    return settings.refuse('format', 'the model takes no tools beside a format of the answer')
  }
  const flaw = flawOf(format, facts)
  if (flaw !== null) return settings.refuse('format', flaw)
  if (format.kind === 'json') return format
  const rules = { bounds: facts.schema_bounds, openObjects: facts.open_objects }
  const schema = outputSchema(format.schema, rules, () => settings.drop('format', '.additionalProperties'))
  return schema === format.schema ? format : { ...format, schema }
}

/** The name that OpenAI's wires require: of letters, digits, `_` and `-`, 64 at most. */
export function portableFormatName(name: string | null): string {
  return (name ?? '').replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer'
}

function flawOf({ kind }: OutputFormat, { format }: ModelFacts): string | null {
  if (format === 'none') return 'the model can be held to no format; ask for it in words'
  if (format === 'json' && kind === 'schema') {
    return 'the model writes JSON without a schema only; ask for `json_object`, and for its form in words'
  }
  return null
}
