import type { Effort } from '../../hub/request-settings.ts'

/**
 * What Anthropic refuses for one model, which only its name shows: a request that is made from another wire has to
 * keep to it, since its client cannot know.
 */
export interface ClaudeModel {
  /** `budget`: so many tokens. `adaptive`: the model decides, by its effort. */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** What turns thinking off: to say nothing of it, a word for it, or nothing at all. */
  readonly off: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** From low to high. */
  readonly efforts: readonly Effort[]
  /** Of temperature and top_p: both at once, one of them, or neither; top_k where there is any. */
  readonly sampling: 'both' | 'one' | 'none'
  /** Whether a tool may be `strict`. */
  readonly strictTools: boolean
  /** Whether it is one of Anthropic's. */
  readonly isClaude: boolean
}

/**
 * Names as in `claude-opus-4-5-20251101`, `claude-3-7-sonnet-latest`, `anthropic.claude-sonnet-4-6-v1:0` or
 * `anthropic/claude-4.7-opus`. A Claude without a version is taken for one of the newest. The facts are Anthropic's: its
 * pages on thinking and its troubleshooting, on effort, on structured outputs, and the migration guides of 4.5 to 5.5.
 */
export function claudeModel(name: string): ClaudeModel {
  const behind = /claude(.*)$/i.exec(name)?.[1]
  if (behind === undefined) return ANOTHERS
  const family = /opus|sonnet|haiku|fable|mythos/i.exec(behind)?.[0].toLowerCase() ?? ''
  const digits = /(?<!\d)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(behind)
  // Two digits for what stands behind the dot: 4.5 is 405.
  const version = digits === null ? null : Number(digits[1]) * 100 + Number(digits[2] ?? 0)
  return {
    thinking: version === null || version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none',
    off: wayOff(family, version),
    efforts: (version === null ? family !== 'mythos' : version >= 407) ? EFFORTS : EFFORTS_OF_46,
    sampling: version === null || version >= 407 ? 'none' : version >= 401 ? 'one' : 'both',
    strictTools: version === null || version >= 401,
    isClaude: true,
  }
}

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']
const EFFORTS_OF_46: readonly Effort[] = ['low', 'medium', 'high', 'max']

/** Others that speak this wire (DeepSeek, Kimi, GLM, MiniMax …) understand a budget, and have no such rules. */
const ANOTHERS: ClaudeModel = {
  thinking: 'budget',
  off: 'disabled',
  efforts: [],
  sampling: 'both',
  strictTools: true,
  isClaude: false,
}

/** Up to 4.8 a Claude thinks only when it is asked to, and 4.7 has no word for no; later ones do by themselves, some always. */
function wayOff(family: string, version: number | null): ClaudeModel['off'] {
  if (family === 'fable' || family === 'mythos') return 'never'
  if (version === null) return 'disabled'
  if (version < 307 || (version >= 407 && version < 500)) return 'absent'
  if (version < 505) return 'disabled'
  if (family === 'opus') return 'never'
  return family === 'sonnet' ? 'between_tools' : 'disabled'
}
