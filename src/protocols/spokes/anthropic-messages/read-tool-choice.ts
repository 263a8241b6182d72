import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import type { ToolChoice } from '../../hub/neutral-request.ts'
import type { RequestSettings } from '../../hub/request-settings.ts'
import type { OfferedTools } from './read-tools.ts'

/** `tool_choice`, which also says whether several tools may be called at once. */
export function readToolChoice(body: FieldReader, tools: OfferedTools, settings: RequestSettings): ToolChoice | null {
  const choice = body.object('tool_choice')
  if (choice === null) return null
  const parallel = choice.boolean('disable_parallel_tool_use') === true ? false : null
  settings.say('parallelToolCalls', parallel, choice.path('disable_parallel_tool_use'))
  const type = choice.requiredString('type')
  const name = type === 'tool' ? choice.requiredString('name') : ''
  choice.end()
  const { at } = choice
  switch (type) {
    case 'auto':
    case 'none':
      return { kind: type, at }
    case 'any':
      return { kind: 'required', at }
    case 'tool':
      return { kind: 'one', name: tools.nameOf(name), at }
    default:
      throw wrongKind(choice.path('type'), '"auto", "any", "tool" or "none"')
  }
}
