import { useId, useState, type ReactNode } from 'react'
import type { KeySetup, SetupClient } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ClientChips } from '../../../ui/client-chips.tsx'
import { Input } from '../../../ui/input.tsx'
import { lastClient } from './last-client.ts'
import { clientsNamed, fewClients } from './shown-clients.ts'
import type { SetUpChoice } from './use-set-up-choice.ts'

/** Bare HTTP stands with what is written in code: alone it would be a row for one. */
const CATEGORIES: readonly (readonly [SetupClient['category'], ...SetupClient['category'][]])[] = [
  ['cli'],
  ['app'],
  ['sdk', 'http'],
]

/** The choice of the client: a few, so that what is to be copied is in sight below them, and all of them at a press. */
export function ClientChoice({ setup, choice }: { readonly setup: KeySetup; readonly choice: SetUpChoice }): ReactNode {
  const t = useTexts('keys').setUp
  const s = useTexts('setup')
  const name = useId()
  const [isAll, setAll] = useState(false)
  const [typed, setTyped] = useState('')
  // As it was when the choice was opened: chips do not change places under the pointer.
  const [last] = useState(lastClient)
  const more = (
    <Button look="quiet" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
      {isAll ? t.fewerClients : t.allClients(setup.clients.length)}
    </Button>
  )
  const chips = (label: string, clients: readonly SetupClient[], after?: ReactNode): ReactNode =>
    clients.length > 0 && (
      <ClientChips
        key={label}
        label={label}
        name={name}
        clients={clients.map((client) => ({ ...client, isUnavailable: client.ways.length === 0 }))}
        value={choice.client?.id ?? ''}
        onValue={choice.setClient}
        after={after}
        isOneRow={after !== undefined}
      />
    )
  const found = clientsNamed(setup.clients, typed)
  return (
    <div className="grid grid-cols-1 gap-3">
      {isAll && (
        <Input
          type="search"
          aria-label={t.searchClients}
          placeholder={t.searchClients}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {isAll
        ? CATEGORIES.map((categories) =>
            chips(
              s.categories[categories[0]],
              found.filter((client) => categories.includes(client.category)),
            ),
          )
        : chips(t.client, fewClients(setup.clients, { last, chosen: choice.client?.id }), more)}
      {isAll && <div>{more}</div>}
    </div>
  )
}
