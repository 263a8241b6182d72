import { FieldReader } from '../../hub/field-reader.ts'
import type { Tool, ToolChoice } from '../../hub/neutral-request.ts'
import { toolName } from './tool-names.ts'

/** `tool_choice`: a word, one tool, or a list of allowed ones. Null where the model is free, as it is unasked. */
export function readToolChoice(top: FieldReader, tools: readonly Tool[]): ToolChoice | null {
  const value = top.raw('tool_choice')
  if (value === null || value === 'auto') return null
  const at = top.path('tool_choice')
  if (value === 'none' || value === 'required') return { kind: value, at }
  if (typeof value === 'string') return top.refuse('tool_choice', `it has no choice "${value}"`)
  const choice = new FieldReader(value, at, top.notes)
  if (choice.string('type') === 'allowed_tools') return readAllowed(choice, tools)
  const names = namesOf(choice, tools)
  const only = names.length === 1 ? names[0] : undefined
  return only === undefined ? { kind: 'some', names, isRequired: true, at } : { kind: 'one', name: only, at }
}

function readAllowed(choice: FieldReader, tools: readonly Tool[]): ToolChoice {
  const mode = choice.string('mode')
  const names = (choice.objects('tools') ?? []).flatMap((each) => namesOf(each, tools))
  choice.end()
  return { kind: 'some', names, isRequired: mode === 'required', at: choice.at }
}

/** The tools that one choice means: a named one, all of a namespace, or one that its provider runs, by its type. */
function namesOf(choice: FieldReader, tools: readonly Tool[]): readonly string[] {
  const type = choice.requiredString('type')
  if (type !== 'function' && type !== 'custom' && type !== 'namespace') return [type]
  const [name, namespace] = [choice.requiredString('name'), choice.string('namespace')]
  choice.end()
  if (type !== 'namespace') return [toolName(name, namespace)]
  return tools.flatMap((tool) => (tool.kind !== 'hosted' && tool.inNamespace?.namespace === name ? [tool.name] : []))
}
