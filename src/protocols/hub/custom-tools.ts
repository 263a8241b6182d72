import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'
import type { CustomTool, FunctionTool } from './neutral-request.ts'

/**
 * A custom tool as a function, for upstreams that know functions only: its text is the one argument. The grammar cannot be
 * enforced there, so it is given to the model as text.
 */
export function customToolAsFunction({ name, description, grammar, at }: CustomTool): FunctionTool {
  const rule =
    grammar === null ? '' : `\n\nThe input has to match this ${grammar.syntax} grammar:\n${grammar.definition}`
  return {
    kind: 'function',
    name,
    description: `${description ?? ''}${rule}`.trim() || null,
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
    isStrict: null,
    at,
  }
}

/** The text for a custom tool as the arguments of the function that stands in for it. */
export function inputAsArguments(input: string): string {
  return JSON.stringify({ input })
}

/** The text out of such arguments; anything else is taken as the text itself, since models slip. */
export function customInputOf(args: string): string {
  const { input } = fieldsOf(parseOrUndefined(args))
  return typeof input === 'string' ? input : args
}
