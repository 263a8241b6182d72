import { MODEL_ABILITIES, type ModelAbility } from '../core/model-abilities.ts'
import { abilitiesByName } from './abilities-by-name.ts'
import type { Model } from './catalog.ts'
import { kindOf } from './model-kind.ts'

/** Families whose chat models take sound, as their makers name them. */
const HEARS = /gemini-(?!1\.0)|gemma-?3n|voxtral|(?:^|[^a-z])(?:omni|multimodal)(?=$|[^a-z])/i

/** What a chat model takes beside text, as far as its own prices and its name tell; nothing for models that do something else. */
export function abilitiesOf(model: Pick<Model, 'name' | 'kind' | 'serving' | 'prices'>): readonly ModelAbility[] {
  if (kindOf(model).kind !== 'chat') return []
  const { seesPictures, callsTools } = abilitiesByName(model.name)
  const abilities: Readonly<Record<ModelAbility, boolean>> = {
    images: seesPictures || isPriced(model.prices?.other?.imageInput),
    audio: HEARS.test(model.name) || isPriced(model.prices?.other?.audioInput),
    tools: callsTools,
  }
  return MODEL_ABILITIES.filter((ability) => abilities[ability])
}

function isPriced(price: bigint | null | undefined): boolean {
  return price !== null && price !== undefined
}
