import { useId, useState, type ReactNode } from 'react'
import type { KeySetup, SetupClient } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ClientChips } from '../../../ui/client-chips.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { SetUpChoice } from '../../keys/set-up/use-set-up-choice.ts'

/** Shown before the others: one of each kind, those that most people come with. */
const SHOWN_FIRST: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'opencode',
  'cherry-studio',
  'cursor',
  'openai-python',
  'curl',
])

/** The choice of the client and its protocol. */
export function ClientStep({ setup, choice }: { readonly setup: KeySetup; readonly choice: SetUpChoice }): ReactNode {
  const t = useTexts('start').client
  const s = useTexts('setup')
  const [isAllShown, setAllShown] = useState(false)
  const name = useId()
  const { client, way } = choice
  const isShown = (each: SetupClient): boolean => isAllShown || SHOWN_FIRST.has(each.id) || each.id === client?.id
  return (
    <div className="grid grid-cols-1 gap-2">
      <ClientChips
        label={t.chips}
        name={name}
        clients={setup.clients
          .filter((each) => isShown(each))
          .map((each) => ({ ...each, isUnavailable: each.ways.length === 0 }))}
        value={client?.id ?? ''}
        onValue={choice.setClient}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {client !== undefined && way !== undefined ? (
          <p className="text-sm text-ink-2">{t.speaks(client.name, s.protocols[way.protocol])}</p>
        ) : (
          <Notice tone="warn" isLive>
            {s.unavailable[client?.unavailable ?? 'no_models']}
          </Notice>
        )}
        {setup.clients.length > SHOWN_FIRST.size && (
          <Button look="quiet" aria-expanded={isAllShown} onClick={() => setAllShown(!isAllShown)}>
            {isAllShown ? t.fewer : t.all(setup.clients.length)}
          </Button>
        )}
      </div>
    </div>
  )
}
