import type { AssistantPart, Turn, UserPart } from './neutral-request.ts'

/** The turns with neighbours of the same role made one, for wires whose roles take turns. System turns stay as they are. */
export function mergedTurns(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = []
  // The list of the last turn grows, so that a long row of turns costs no more than its parts.
  let last = null as Open | null
  for (const turn of turns) {
    const mayJoin = turn.role === 'user' || turn.role === 'assistant'
    if (mayJoin && last?.role === turn.role) append<UserPart | AssistantPart>(last.parts, turn.parts)
    else {
      const parts: Open['parts'] = [...turn.parts]
      last = { role: turn.role, parts }
      // The parts are the turn's own, so they are of its kind.
      merged.push({ ...turn, parts } as Turn)
    }
  }
  return merged
}

interface Open {
  readonly role: Turn['role']
  readonly parts: (UserPart | AssistantPart)[]
}

/** Puts more at the end of a list. `push(...more)` takes every one as an argument, and breaks at some 100,000 of them. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const each of more) list.push(each)
}
