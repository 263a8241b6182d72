import type { SetupNote, SetupStep } from '../../../../src/contract/setup.ts'
import { fillSnippet } from '../../../setup/fill-snippet.ts'
import type { SetupValues } from '../../../setup/placeholders.ts'
import { isBeside } from '../../../setup/setup-steps.ts'

/** One thing to copy on the way to a first message. */
export interface StartBlock {
  /** The path of a file; null: for a terminal. */
  readonly path: string | null
  /** How it goes into a file that is there already. */
  readonly note: SetupNote | null
  readonly text: string
  readonly hasSecret: boolean
  /** Whether the last line sends the message. */
  readonly sends: boolean
}

export interface StartPlan {
  /** The command that installs the client, where that is still to be done. */
  readonly install: string | null
  readonly blocks: readonly StartBlock[]
  /** Fields of a settings page, for a client that has no terminal. */
  readonly settings: readonly Extract<SetupStep, { kind: 'settings' }>[]
}

/**
 * The shortest way through the steps of a client: what goes into the same terminal becomes one block, with the message at
 * its end. What is beside that, or keeps the setup for later, is left out here; "Use key" has it.
 */
export function startPlan(steps: readonly SetupStep[], values: SetupValues): StartPlan {
  const blocks: StartBlock[] = []
  const settings: Extract<SetupStep, { kind: 'settings' }>[] = []
  let install: string | null = null
  for (const step of steps) {
    if (isBeside(step)) continue
    if (step.kind === 'settings') {
      settings.push(step)
      continue
    }
    // The page knows a request that was copied from it by its mark, even if its key is wrong.
    const text = fillSnippet({ ...step, text: step.marked_text ?? step.text }, values)
    if (step.purpose === 'install') {
      install = text
      continue
    }
    const path = step.kind === 'shell' ? null : step.path
    const sends = step.kind === 'shell' && step.purpose === 'try'
    const block: StartBlock = {
      path,
      note: path === null ? null : step.note,
      text,
      hasSecret: step.text.includes('{key}'),
      sends,
    }
    const last = blocks.at(-1)
    if (path === null && last !== undefined && last.path === null) blocks[blocks.length - 1] = joined(last, block)
    else blocks.push(block)
  }
  return { install, blocks, settings }
}

function joined(first: StartBlock, second: StartBlock): StartBlock {
  return {
    path: null,
    note: null,
    text: `${first.text}\n${second.text}`,
    hasSecret: first.hasSecret || second.hasSecret,
    sends: second.sends,
  }
}
