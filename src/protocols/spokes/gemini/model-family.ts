import type { Effort } from '../../hub/request-settings.ts'

/** What Google refuses for one model, which only its name shows. */
export interface ModelFamily {
  /** `budget`: so many tokens. `level`: a word. `none`: the model does not think, and a word of it is refused. */
  readonly thinking: 'none' | 'budget' | 'level'
  /** From low to high, where `level`. */
  readonly levels: readonly Effort[]
  /** The least and most that may be thought where `budget`, in tokens; least 0: it can be switched off. */
  readonly budget: { readonly least: number; readonly most: number; readonly canBeOff: boolean }
  /** Whether a call without its signature is refused within a turn, and results of functions may hold pictures. */
  readonly isThird: boolean
}

/**
 * Names as in `gemini-2.5-flash-lite`, `models/gemini-3-pro-preview` or `google/gemini-3.1-pro`; one without a version is
 * taken for one of the newest. The facts are of Google's pages on thinking and on thought signatures: 2.5 counts tokens (Pro
 * 128 to 32,768, Flash 0 to 24,576, Flash-Lite 0 or 512 to 24,576), 3 and later have levels (`minimal` on Flash alone,
 * `medium` not on 3 Pro), and earlier ones do not think.
 */
export function modelFamily(name: string): ModelFamily {
  const digits = /gemini-(\d+)(?:\.(\d+))?/i.exec(name)
  const [major, minor] = [Number(digits?.[1] ?? 9), Number(digits?.[2] ?? 0)]
  const isFlash = /flash/i.test(name)
  if (/gemma|learnlm/i.test(name) || major < 2 || (major === 2 && minor < 5))
    return { ...NEWEST, thinking: 'none', isThird: false }
  if (major === 2) return { ...NEWEST, thinking: 'budget', budget: budgetOf(name, isFlash), isThird: false }
  if (isFlash) return { ...NEWEST, levels: ['minimal', 'low', 'medium', 'high'] }
  return major === 3 && minor === 0 ? { ...NEWEST, levels: ['low', 'high'] } : NEWEST
}

const NEWEST: ModelFamily = {
  thinking: 'level',
  levels: ['low', 'medium', 'high'],
  budget: { least: 0, most: 0, canBeOff: false },
  isThird: true,
}

function budgetOf(name: string, isFlash: boolean): ModelFamily['budget'] {
  if (!isFlash) return { least: 128, most: 32_768, canBeOff: false }
  return { least: /lite/i.test(name) ? 512 : 1, most: 24_576, canBeOff: true }
}
