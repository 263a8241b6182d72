import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { ProviderSignature, TokenLogprob } from '../../hub/neutral-request.ts'
import { writeOpaque } from '../../hub/opaque-reasoning.ts'
import { CLIENT_RUN_PREFIX, clientRunFields, type ClientRunTool, type ClientTool, TOOL_SEARCH } from './tool-names.ts'

/**
 * Items of an output, as openai-node's `ResponseOutputItem` and the Open Responses schemas have them: all fields that either
 * wants, in the state that `status` says.
 */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc' | (typeof CLIENT_RUN_PREFIX)[ClientRunTool]

/** The id of an item, made from the request's: the same item has the same one in all events. */
export function itemId(prefix: ItemPrefix, requestId: string, index: number): string {
  return `${prefix}_${requestId.replace(/^req_/, '')}_${index}`
}

export function messageItem(id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content }
}

export function textPart(text: string, logprobs: readonly TokenLogprob[]): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: logprobs.map(writeLogprob), text }
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

export function reasoningItem(id: string, text: string, opaque: ProviderSignature | null): JsonObject {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return {
    id,
    type: 'reasoning',
    summary,
    ...(opaque === null ? {} : { encrypted_content: writeOpaque(opaque, 'openai') }),
  }
}

/** A call as it is written: how the client knows the tool, and the form that it is called in. */
export interface WrittenCall {
  readonly callId: string
  readonly isCustom: boolean
  readonly tool: ClientTool
}

export function writtenCall(
  call: { readonly id: string; readonly name: string; readonly isCustom: boolean },
  tools: ReadonlyMap<string, ClientTool>,
): WrittenCall {
  const unknown = { name: call.name, namespace: null, kind: 'plain', hasSecretArguments: false } as const
  return { callId: call.id, isCustom: call.isCustom, tool: tools.get(call.name) ?? unknown }
}

export function prefixOf({ isCustom, tool }: WrittenCall): ItemPrefix {
  if (tool.kind === 'plain') return isCustom ? 'ctc' : 'fc'
  return tool.kind === TOOL_SEARCH ? 'tsc' : CLIENT_RUN_PREFIX[tool.kind]
}

/** `input` as the model wrote it: arguments, or the text for a custom tool. */
export function callItem(
  id: string,
  status: ItemStatus,
  { call, input }: { call: WrittenCall; input: string },
): JsonObject {
  const { callId, tool } = call
  if (tool.kind === TOOL_SEARCH) {
    return {
      id,
      type: 'tool_search_call',
      status,
      call_id: callId,
      execution: 'client',
      arguments: callInput(input) ?? {},
    }
  }
  if (tool.kind !== 'plain') {
    const fields = clientRunFields(tool.kind, callId, input)
    // Of these, patches have no state for a call that was cut short.
    const state = tool.kind === 'apply_patch' && status === 'incomplete' ? 'in_progress' : status
    return { id, type: `${tool.kind}_call`, status: state, ...fields }
  }
  const names = { call_id: callId, name: tool.name, ...(tool.namespace === null ? {} : { namespace: tool.namespace }) }
  if (call.isCustom) return { id, type: 'custom_tool_call', status, ...names, input }
  const inTheClear = tool.hasSecretArguments ? { encrypted_function_args: [] } : {}
  return { id, type: 'function_call', status, ...names, arguments: input, ...inTheClear }
}

/** Bytes are wanted by OpenAI's own types. Where they were not reported they are those of the token. */
export function writeLogprob({ top, ...one }: TokenLogprob): JsonObject {
  return { ...withBytes(one), top_logprobs: top.map(withBytes) }
}

function withBytes({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token)] }
}
