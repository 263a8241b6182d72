import type { JsonObject } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'

/**
 * `tools` and `toolConfig`. Functions come in JSON Schema, which Google takes whole as `parametersJsonSchema`. Where all of
 * them are strict, calls are validated; Google cannot do that for some of them.
 */
export function writeTools({ tools, toolChoice }: NeutralRequest, notes: Notes): JsonObject {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  if (functions.length === 0) return {}
  for (const tool of functions) notes.dropCache(tool)
  const strict = functions.filter(({ isStrict }) => isStrict === true)
  const areStrict = strict.length === functions.length
  if (!areStrict) for (const { at } of strict) notes.drop(`${at}.strict`)
  const calling = functionCalling(toolChoice, areStrict)
  return {
    tools: [{ functionDeclarations: functions.map(declaration) }],
    ...(calling === null ? {} : { toolConfig: { functionCallingConfig: calling } }),
  }
}

function declaration({ name, description, schema }: FunctionTool): JsonObject {
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(schema === null ? {} : { parametersJsonSchema: withoutDialect(schema) }),
  }
}

/** Says which JSON Schema it is, and does not belong to it. */
export function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = schema
  return rest
}

/** `ANY` keeps calls to their schemas as well. */
function functionCalling(choice: ToolChoice | null, areStrict: boolean): JsonObject | null {
  switch (choice?.kind) {
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'one':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'some':
      return { mode: choice.isRequired ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
    case 'auto':
    case undefined:
      return areStrict ? { mode: 'VALIDATED' } : null
  }
}
