import type { ModelSlot, SetupProtocol } from '../../../contract/setup.ts'
import type { SetupModel } from './client-description.ts'

/** The models that can be called over the protocol, the one to suggest first. */
export function modelsFor(protocol: SetupProtocol, models: readonly SetupModel[]): SetupModel[] {
  const order = (model: SetupModel): number => {
    if (NO_CONVERSATION.test(model.name)) return 2
    return FAVOURITES[protocol].test(model.name) ? 0 : 1
  }
  return models
    .filter(({ wires }) => wires.includes(protocol))
    .sort((a, b) => order(a) - order(b) || (order(a) === 0 ? newestFirst(a, b) : 0))
}

/** Claude Code asks for models by their size. `models`: the suggested one first, never empty. */
export function claudeSlots(models: readonly SetupModel[]): ModelSlot[] {
  const newest = (pattern: RegExp): string | undefined =>
    models.filter(({ name }) => pattern.test(name)).sort(newestFirst)[0]?.name
  const first = models[0]?.name ?? ''
  const model = newest(/sonnet/i) ?? newest(/opus/i) ?? first
  return [
    { placeholder: 'model', suggested: model },
    { placeholder: 'haiku_model', suggested: newest(/haiku/i) ?? newest(SMALL) ?? model },
    { placeholder: 'sonnet_model', suggested: newest(/sonnet/i) ?? model },
    { placeholder: 'opus_model', suggested: newest(/opus/i) ?? model },
  ]
}

/** What a client of the protocol is usually used with. */
const FAVOURITES: Record<SetupProtocol, RegExp> = {
  'openai-chat': /^$/,
  'openai-responses': /codex|gpt-?\d/i,
  'anthropic-messages': /sonnet/i,
  gemini: /gemini.*pro/i,
}

/** Models that an upstream lists beside the others and that answer no conversation. */
const NO_CONVERSATION = /embed|whisper|\btts\b|transcri|moderation|rerank|dall-e|image/i

const SMALL = /(^|[-_./])(mini|flash|small|fast|lite|nano|air)($|[-_./])/i

/** `claude-sonnet-10` before `claude-sonnet-4-5` before `claude-sonnet-4`: numbers by their value. */
function newestFirst(a: SetupModel, b: SetupModel): number {
  return NATURAL.compare(b.name, a.name)
}

const NATURAL = new Intl.Collator('en', { numeric: true })
