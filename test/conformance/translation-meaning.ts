import type { NeutralAnswer, StreamPart } from '../../src/protocols/hub/neutral-answer.ts'
import { openOpaque } from '../../src/protocols/hub/opaque-reasoning.ts'
import { fieldsOf } from '../../src/protocols/json/json-object.ts'
import type { AnswerBlock, NeutralRequest, UserPart } from '../../src/protocols/hub/neutral-request.ts'

/** A request in its meaning, whatever wire it went over: what the laws compare. */
export function meaningOf(request: NeutralRequest): object {
  const said: { by: string; what: unknown }[] = []
  const system: string[] = []
  for (const turn of request.turns) {
    if (turn.role === 'system' || turn.role === 'developer') system.push(...turn.parts.map(({ text }) => text))
    else if (turn.role === 'user') for (const part of turn.parts) said.push({ by: 'user', what: meaningOfPart(part) })
    else for (const part of turn.parts) said.push({ by: 'assistant', what: meaningOfBlock(part) })
  }
  const { settings } = request
  const temperature = settings.get('temperature')
  // 1 is what every provider takes by itself.
  const limits = [settings.get('maxOutputTokens'), temperature === 1 ? null : temperature, settings.get('topP')]
  const format = settings.get('format')
  const mayCall = request.tools.length > 0 && request.toolChoice?.kind !== 'none'
  return {
    system: system.join('').replace(/\s+/g, ''),
    said: joined(said),
    tools: request.tools.map((tool) => ({
      name: tool.name,
      ...(tool.kind === 'function' ? { schema: tool.schema, description: tool.description } : {}),
    })),
    choice: meaningOfChoice(request),
    limits,
    format: format?.kind === 'schema' ? format.schema : format,
    parallel: mayCall ? (settings.get('parallelToolCalls') ?? true) : null,
  }
}

function meaningOfChoice({ toolChoice }: NeutralRequest): unknown {
  if (toolChoice === null || toolChoice.kind === 'auto') return 'auto'
  if (toolChoice.kind === 'one') return { one: toolChoice.name }
  // One of one is that one.
  if (toolChoice.kind === 'some') {
    return toolChoice.names.length === 1 && toolChoice.isRequired ? { one: toolChoice.names[0] } : toolChoice.names
  }
  return toolChoice.kind
}

function meaningOfPart(part: UserPart): unknown {
  if (part.kind === 'text') return part.text
  if (part.kind === 'tool_result') {
    return {
      answers: part.callId,
      parts: joined(part.parts.map((each) => ({ by: 'tool', what: meaningOfPart(each) }))),
    }
  }
  return { kind: part.kind, source: part.source }
}

/** Blocks without what a wire adds or joins. */
export function meaningOfAnswer(answer: NeutralAnswer): object {
  return answer.choices.map(({ blocks, stop }) => ({
    said: joined(withoutRepeats(blocks).map((block) => ({ by: 'assistant', what: meaningOfBlock(block) }))),
    stop: stop.reason,
  }))
}

/** A signature may stand in two fields of a wire, for clients that keep one or the other. */
function withoutRepeats(blocks: readonly AnswerBlock[]): readonly AnswerBlock[] {
  const signature = (block: AnswerBlock | undefined) =>
    block?.kind === 'reasoning' && block.opaque !== null ? innermost(block.opaque.data) : null
  return blocks.filter(
    (block, i) =>
      block.kind !== 'reasoning' || block.text !== '' || i === 0 || signature(block) !== signature(blocks[i - 1]),
  )
}

function meaningOfBlock(block: AnswerBlock): unknown {
  if (block.kind === 'text' || block.kind === 'refusal') return block.text
  if (block.kind === 'reasoning')
    return { thought: block.text, opaque: block.opaque === null ? null : innermost(block.opaque.data) }
  return { calls: block.name, id: block.id, input: block.isCustom ? block.input : parsed(block.input) }
}

/** Texts of one speaker that stand side by side are one text, whatever blanks a wire puts between them. */
function joined(said: readonly { by: string; what: unknown }[]): unknown[] {
  const merged: { by: string; what: unknown }[] = []
  for (const each of said) {
    const last = merged.at(-1)
    const isMore = last?.by === each.by && typeof last.what === 'string' && typeof each.what === 'string'
    if (isMore) merged[merged.length - 1] = { by: each.by, what: `${last.what as string}${each.what as string}` }
    else merged.push(each)
  }
  return merged.map(({ by, what }) => ({ by, what: typeof what === 'string' ? what.replace(/\s+/g, '') : what }))
}

/** What the vendor signed, out of what the wires that it went over put around it. */
function innermost(data: string): string {
  const { details } = fieldsOf(data.startsWith('{') ? parsed(data) : null)
  if (Array.isArray(details)) return innermost(String(fieldsOf(details[0])['data']))
  const opened = openOpaque(data, 'anthropic')
  return opened.data === data ? data : innermost(opened.data)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return { notJson: json }
  }
}

/** The answer that the parts of a stream add up to. Throws where they break the rules of `StreamPart`. */
export function collected(parts: readonly StreamPart[]): NeutralAnswer {
  const choices = new Map<number, { blocks: AnswerBlock[]; stop: NeutralAnswer['choices'][number]['stop'] | null }>()
  const open = new Map<number, AnswerBlock & { choice: number }>()
  const seen = new Set<number>()
  const choiceOf = (index: number) => {
    const found = choices.get(index) ?? { blocks: [], stop: null }
    choices.set(index, found)
    return found
  }
  const blockOf = (part: { block: number; kind: string }) => {
    const found = open.get(part.block)
    if (found === undefined) throw new Error(`a ${part.kind} of block ${part.block}, which is not open`)
    return found
  }
  for (const part of parts) {
    if (part.kind === 'begin') {
      if (seen.has(part.block)) throw new Error(`block ${part.block} begins twice`)
      seen.add(part.block)
      open.set(part.block, { ...emptyBlock(part.of), choice: part.choice })
    } else if (part.kind === 'stop') {
      const choice = choiceOf(part.choice)
      if (choice.stop !== null) throw new Error(`choice ${part.choice} stops twice`)
      choice.stop = part.stop
    } else if (part.kind === 'end') {
      const { choice, ...block } = blockOf(part)
      choiceOf(choice).blocks.push(block)
      open.delete(part.block)
    } else if (part.kind === 'delta') {
      if (part.text === '') throw new Error('an empty delta')
      const block = blockOf(part)
      const more = block.kind === 'tool_call' ? { input: block.input + part.text } : { text: block.text + part.text }
      open.set(part.block, { ...block, ...more })
    } else if (part.kind === 'opaque') {
      open.set(part.block, { ...blockOf(part), opaque: part.opaque } as AnswerBlock & { choice: number })
    }
  }
  if (open.size > 0) throw new Error(`blocks ${[...open.keys()].join()} never end`)
  return {
    choices: [...choices.entries()]
      .toSorted(([one], [other]) => one - other)
      .map(([, { blocks, stop }]) => ({ blocks, stop: stop ?? { reason: 'end', sequence: null } })),
  }
}

function emptyBlock(of: Extract<StreamPart, { kind: 'begin' }>['of']): AnswerBlock {
  if (of.kind === 'tool_call') return { ...of, input: '' }
  return of.kind === 'reasoning' ? { kind: of.kind, text: '', opaque: null } : { kind: of.kind, text: '' }
}
