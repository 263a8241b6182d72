import type { ModelFacts } from '../../../models/facts.ts'
import { append } from '../../hub/append.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { AssistantPart, AssistantTurn, ProviderSignature, ToolCallBlock } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readChatOpaque } from './chat-opaque.ts'

export interface MessagesContext {
  readonly facts: ModelFacts
  readonly notes: Notes
  readonly hasTools: boolean
}

/** One message for all that the model said in a turn; none where nothing of it can be said here. */
export function writeAssistant({ parts }: AssistantTurn, context: MessagesContext): readonly JsonObject[] {
  const { notes } = context
  for (const part of parts) notes.dropCache(part)
  const calls = writeCalls(parts, context)
  const text = textOf(parts)
  const refusal = parts.flatMap((part) => (part.kind === 'refusal' ? [part.text] : [])).join('')
  const reasoning = writeReasoning(parts, { ...context, hasCalls: calls.length > 0 })
  if (calls.length === 0 && text === '' && refusal === '') return []
  return [
    {
      role: 'assistant',
      content: text === '' && calls.length > 0 && context.facts.empty_content ? null : text,
      ...(refusal === '' ? {} : { refusal }),
      ...reasoning,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

/** Texts side by side are one; where a call stood between them, a blank line keeps them apart. */
function textOf(parts: readonly AssistantPart[]): string {
  let text = ''
  let isApart = false
  for (const part of parts) {
    if (part.kind !== 'text') isApart = text !== ''
    else {
      text += isApart ? `\n\n${part.text}` : part.text
      isApart = false
    }
  }
  return text
}

/** The calls, at Google's compatible endpoint with the signature that stood before them: Gemini refuses calls without it. */
function writeCalls(parts: readonly AssistantPart[], { facts }: MessagesContext): readonly JsonObject[] {
  const calls: JsonObject[] = []
  let signature: string | null = null
  for (const part of parts) {
    if (part.kind === 'tool_call') {
      const extra = signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }
      calls.push({ ...writeCall(part), ...extra })
    }
    signature = facts.signed_calls !== 'no' && isGoogles(part) ? part.opaque.data : null
  }
  return calls
}

function isGoogles(part: AssistantPart): part is AssistantPart & { readonly opaque: ProviderSignature } {
  return part.kind === 'reasoning' && part.opaque?.vendor === 'google'
}

function writeCall({ id, name, input }: ToolCallBlock): JsonObject {
  return { id, type: 'function', function: { name, arguments: input === '' ? '{}' : input } }
}

/**
 * Reasoning goes back to those who made it: DeepSeek, Kimi and others refuse the results of tools without the reasoning that
 * led to their calls, and some want the field even where it is empty. Others know no field for it, as OpenAI's own endpoint.
 * Any other vendor's is left out.
 */
function writeReasoning(
  parts: readonly AssistantPart[],
  { facts, notes, hasTools, hasCalls }: MessagesContext & { readonly hasCalls: boolean },
): JsonObject {
  const isWanted = (hasTools || hasCalls) && facts.past_reasoning !== 'refused'
  let text = ''
  let field = 'reasoning_content'
  const details: unknown[] = []
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'reasoning') continue
    if (facts.signed_calls !== 'no' && isGoogles(part) && parts[index + 1]?.kind === 'tool_call') continue
    if (!isWanted || (part.opaque !== null && part.opaque.vendor !== 'chat')) {
      notes.drop(`${part.at}.reasoning`)
      continue
    }
    const own = readChatOpaque(part.opaque, part.text)
    text += part.text
    if (own.field === 'reasoning') field = 'reasoning'
    append(details, own.details)
  }
  return {
    ...(text !== '' || (isWanted && facts.past_reasoning === 'with_tools') ? { [field]: text } : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}
