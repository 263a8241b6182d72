import type { SetupModel } from '../../src/control/keys/setup/client-description.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import { abilitiesByName } from '../../src/routing/abilities-by-name.ts'

/** A chat model of a key that has not been tried yet, as setups are written from it. */
export function setupModel(over: Partial<SetupModel> & Pick<SetupModel, 'name'>): SetupModel {
  return {
    wires: CHAT_WIRES,
    contextTokens: null,
    maxOutputTokens: null,
    kind: 'chat',
    abilities: abilitiesByName(over.name),
    isRecommended: false,
    answers: null,
    price: nanoUsd(1_000_000_000n),
    ...over,
  }
}
