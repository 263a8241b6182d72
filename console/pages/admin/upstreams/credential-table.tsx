import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { changeCredential } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { FailedCount, FirstByte, LastFailure } from './last-failure.tsx'
import { StateBadge } from './state-badge.tsx'

const TestCredential = lazyPart(() => import('./test-credential.tsx'))
const ReplaceSecret = lazyPart(() => import('./replace-secret.tsx'))

type Credential = UpstreamView['credentials'][number]
type State = UpstreamStatusView['credentials'][number]
type Opened = { readonly what: 'test' | 'replace'; readonly name: string }

/** Each credential with how it stands, and what can be done with it alone. */
export function CredentialTable(props: {
  readonly upstream: UpstreamView
  readonly status: UpstreamStatusView | null
}): ReactNode {
  const { upstream, status } = props
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = (): void => setOpened(null)
  const stateOf = new Map(status?.credentials.map((state) => [state.name, state]))
  return (
    <>
      <ul>
        {upstream.credentials.map((credential) => (
          <CredentialRow
            key={credential.name}
            upstream={upstream}
            credential={credential}
            state={stateOf.get(credential.name) ?? null}
            onOpen={(what) => setOpened({ what, name: credential.name })}
          />
        ))}
      </ul>
      {opened?.what === 'test' && <TestCredential upstream={upstream} name={opened.name} onClose={close} />}
      {opened?.what === 'replace' && <ReplaceSecret upstream={upstream} name={opened.name} onClose={close} />}
    </>
  )
}

function CredentialRow(props: {
  readonly upstream: UpstreamView
  readonly credential: Credential
  readonly state: State | null
  onOpen(what: Opened['what']): void
}): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const mayChange = useMay('catalogue')
  const { upstream, state, onOpen } = props
  const { name, weight, spend_per_day: cap, max_concurrency: most, shadow } = props.credential
  const inFlight = state === null ? '–' : format.number(state.in_flight)
  const spent = state?.spent_today ?? null
  const ofCap = cap === null || spent === null ? null : t.ofLimit(format.money(spent), format.money(cap))
  const isShadow = shadow.includes('spend_per_day')
  const signs = [
    `${t.columns.weight} ${weight}`,
    `${t.columns.load} ${most === null ? inFlight : t.ofLimit(inFlight, format.number(most))}`,
    ...(state !== null && state.count > 1 ? [t.inARow(format.number(state.count))] : []),
    ...(ofCap === null ? [] : [`${t.columns.spent} ${isShadow ? t.shadow.cap(ofCap) : ofCap}`]),
  ]
  return (
    <li
      aria-label={name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0"
    >
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          {state?.secret_end != null && <code className="font-mono text-xs text-ink-3">…{state.secret_end}</code>}
          <StateBadge state={state?.state ?? null} />
          {state?.until != null && <span className="text-sm text-ink-3">{t.until(format.time(state.until))}</span>}
        </p>
        <p className="text-sm text-ink-2">
          {signs.join(' · ')} · {t.columns.failed} <FailedCount status={state} />
          {state !== null && state.first_byte_ms !== null && (
            <>
              {' · '}
              {t.columns.firstByte} <FirstByte times={state.first_byte_ms} />
            </>
          )}
        </p>
        {state?.said != null && (
          <p className="text-sm [overflow-wrap:anywhere] text-bad">{t.providerSaid(state.said)}</p>
        )}
        {state?.last_failure != null && (
          // The same words are said once.
          <LastFailure failure={state.said === null ? state.last_failure : { ...state.last_failure, said: null }} />
        )}
      </div>
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <Button aria-label={`${t.test} ${name}`} onClick={() => onOpen('test')}>
            {t.test}
          </Button>
          <StateButton upstreamId={upstream.id} name={name} state={state} />
          {!upstream.managed && (
            <Button aria-label={`${t.replace} ${name}`} onClick={() => onOpen('replace')}>
              {t.replace}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

type CredentialChange = Parameters<typeof changeCredential>[1]

/** What ends the state that a credential is in, or takes it out by hand. null: its state is not known yet. */
function StateButton(props: {
  readonly upstreamId: string
  readonly name: string
  readonly state: UpstreamStatusView['credentials'][number] | null
}): ReactNode {
  const t = useTexts('upstreams')
  const queries = useQueryClient()
  const { upstreamId, name } = props
  const change = useVersionedEdit<CredentialChange>({
    version: props.state?.version ?? '',
    send: (to, version) => changeCredential({ upstreamId, name }, to, version),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  if (props.state === null) return null
  const { state } = props.state
  const button = (text: string, to: CredentialChange): ReactNode => (
    <Button isBusy={change.isPending} aria-label={`${text} ${name}`} onClick={() => change.press(to)}>
      {text}
    </Button>
  )
  return (
    <>
      {change.dialog}
      {state === 'held' && button(t.release, { held: false })}
      {state === 'disabled' ? button(t.enable, { disabled: false }) : button(t.disable, { disabled: true })}
    </>
  )
}
