import { useState } from 'react'
import type {
  KeySetup,
  ModelPlaceholder,
  SetupClient,
  SetupProtocol,
  SetupSystem,
  SetupWay,
} from '../../../../src/contract/setup.ts'
import type { SetupValues } from '../../../setup/placeholders.ts'
import { detectSystem } from './detect-system.ts'
import { keepLastClient, lastClient } from './last-client.ts'

/** What is written where the secret would stand, until it is entered. */
const SECRET_PLACEHOLDER = 'sk-tg-…'

export interface SetUpChoice {
  readonly client: SetupClient | undefined
  /** undefined: no model of this key speaks what the client speaks. */
  readonly way: SetupWay | undefined
  readonly system: SetupWay['systems'][number] | undefined
  /** A model for each slot of the way. */
  readonly models: Partial<Record<ModelPlaceholder, string>>
  setClient(id: string): void
  setProtocol(protocol: SetupProtocol): void
  setSystem(system: SetupSystem): void
  setModel(placeholder: ModelPlaceholder, name: string): void
}

/** The client that is being set up, its protocol, its terminal and its models. */
export function useSetUpChoice(setup: KeySetup): SetUpChoice {
  const [clientId, setClientId] = useState<string | null>(() => usableOf(setup.clients, lastClient()))
  const [protocol, setProtocol] = useState<SetupProtocol>()
  const [system, setSystem] = useState<SetupSystem>(() => detectSystem(navigator.userAgent))
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const client = setup.clients.find((each) => each.id === clientId) ?? firstUsable(setup.clients)
  const way = client?.ways.find((each) => each.protocol === protocol) ?? client?.ways[0]
  const slotName = (placeholder: ModelPlaceholder): string => `${client?.id} ${way?.protocol} ${placeholder}`
  return {
    client,
    way,
    system: way?.systems.find((each) => each.system === system) ?? way?.systems[0],
    models: Object.fromEntries(
      (way?.slots ?? []).map(({ placeholder, suggested }) => [placeholder, chosen[slotName(placeholder)] ?? suggested]),
    ),
    setClient: (id) => {
      keepLastClient(id)
      setClientId(id)
    },
    setProtocol,
    setSystem,
    setModel: (placeholder, name) => setChosen((before) => ({ ...before, [slotName(placeholder)]: name })),
  }
}

/** What texts and links are filled in with. `secret` null: the placeholder. */
export function setUpValues(setup: KeySetup, models: SetUpChoice['models'], secret: string | null): SetupValues {
  return { key: secret ?? SECRET_PLACEHOLDER, name: setup.provider_name, mark: setup.mark, models }
}

/** Whether the secret itself stands in what is filled in with these values. */
export function hasSecret({ key }: SetupValues): boolean {
  return key !== SECRET_PLACEHOLDER
}

function firstUsable(clients: readonly SetupClient[]): SetupClient | undefined {
  return clients.find((client) => client.ways.length > 0) ?? clients[0]
}

/** The client that was set up last, unless nothing of this key speaks what it speaks. */
function usableOf(clients: readonly SetupClient[], id: string | null): string | null {
  return clients.some((client) => client.id === id && client.ways.length > 0) ? id : null
}
