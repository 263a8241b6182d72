import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { KeySetup } from '../../../../src/contract/setup.ts'
import { keySetupQuery } from '../../../api/key-setup.ts'
import type { MadeKey } from '../../../api/keys.ts'
import { useNeedsCredit } from '../../../api/use-needs-credit.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useListedModels } from '../../keys/set-up/listed-models.ts'
import { usableSecret } from '../../keys/set-up/secret-fit.ts'
import { useSetUpChoice } from '../../keys/set-up/use-set-up-choice.ts'
import { ClientStep } from './client-step.tsx'
import { EnterStep, planOf } from './enter-step.tsx'
import { FirstKeyForm, KeyAtHand } from './first-key.tsx'
import { LiveLine } from './live-line.tsx'
import type { Try } from './live-state.ts'
import { StepItem } from './step-item.tsx'

const AddCreditStep = lazyPart(() => import('./add-credit.tsx'))
const SuccessCard = lazyPart(() => import('./success-card.tsx'))
const TestMessage = lazyPart(() => import('../../keys/test-message.tsx'))

/** Leads from no key to the first request of a client, in five steps. The secret lives in the state of this component. */
export function FirstCall({ unusedKey }: { readonly unusedKey: ApiKeyView | null }): ReactNode {
  const t = useTexts('start')
  const queryClient = useQueryClient()
  const [apiKey, setKey] = useState(unusedKey)
  const [secret, setSecret] = useState<string | null>(null)
  const [pasted, setPasted] = useState('')
  const [isCopied, setCopied] = useState(false)
  const take = (made: MadeKey): void => {
    setKey(made.key)
    setSecret(made.secret)
    setPasted('')
    setCopied(false)
    void queryClient.invalidateQueries({ queryKey: ['keys', 'list'], refetchType: 'none' })
  }
  const needsCredit = useNeedsCredit()
  // Done, it stays where it was.
  const [neededCredit, setNeededCredit] = useState(false)
  if (needsCredit === true && !neededCredit) setNeededCredit(true)
  const atHand = secret ?? (apiKey === null ? null : usableSecret(pasted, apiKey))
  return (
    <>
      <LeaveGuard isArmed={secret !== null && !isCopied} />
      <ol aria-label={t.steps} className="card p-4 sm:p-6">
        {neededCredit && <AddCreditStep isNeeded={needsCredit === true} />}
        <StepItem number={1} title={t.key.title} state={apiKey === null ? 'now' : 'done'}>
          {apiKey === null ? (
            <FirstKeyForm onMade={take} />
          ) : (
            <KeyAtHand
              apiKey={apiKey}
              secret={atHand}
              pasted={pasted}
              onPasted={setPasted}
              onMade={take}
              onAnother={() => setKey(null)}
              onCopied={() => setCopied(true)}
            />
          )}
        </StepItem>
        {apiKey === null ? (
          <LaterSteps />
        ) : (
          <StepsWithKey
            key={apiKey.id}
            apiKey={apiKey}
            secret={atHand}
            isCopied={isCopied}
            onCopied={() => setCopied(true)}
          />
        )}
      </ol>
    </>
  )
}

/** What will come, so that the whole way is seen from its beginning. */
function LaterSteps(): ReactNode {
  const t = useTexts('start')
  return (
    <>
      <StepItem number={2} title={t.message.title} state="later" later={t.message.later} />
      <StepItem number={3} title={t.client.title} state="later" later={t.client.later} />
      <StepItem number={4} title={t.enter.title} state="later" later={t.enter.later} />
      <StepItem number={5} title={t.record.title} state="later" later={t.record.later} isLast />
    </>
  )
}

interface WithKeyProps {
  readonly apiKey: ApiKeyView
  readonly secret: string | null
  readonly isCopied: boolean
  onCopied(): void
}

function StepsWithKey(props: WithKeyProps): ReactNode {
  const setup = useQuery(keySetupQuery(props.apiKey.id, useListedModels()))
  if (setup.data !== undefined) return <ChosenSteps {...props} setup={setup.data} />
  return (
    <li className="pl-10">
      {setup.error === null ? (
        <StepSkeletons />
      ) : (
        <ErrorState error={setup.error} onRetry={() => void setup.refetch()} />
      )}
    </li>
  )
}

/** The lines of the steps that are on their way: a title, a sentence and what is to be copied. */
function StepSkeletons(): ReactNode {
  return (
    <div className="grid gap-6 py-1" aria-hidden="true">
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="grid gap-2.5">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-full max-w-md" />
          {index < 2 && <Skeleton className="h-9 w-full max-w-lg" />}
        </div>
      ))}
    </div>
  )
}

/** The test message comes first: it takes one press. The client's own steps stay when it was answered. */
function ChosenSteps(props: WithKeyProps & { readonly setup: KeySetup }): ReactNode {
  const t = useTexts('start')
  const { setup, secret, isCopied, apiKey } = props
  const choice = useSetUpChoice(setup)
  const [isAnswered, setAnswered] = useState(false)
  const [record, setRecord] = useState<Try | null>(null)
  const clientStep = useRef<HTMLHeadingElement>(null)
  const plan = planOf({ setup, choice, secret })
  const { model } = choice.models
  const { client, way } = choice
  const configured = isCopied || record !== null ? 'done' : 'now'
  const next = (
    <Button look="primary" onClick={() => clientStep.current?.focus()}>
      {t.message.setUp(client?.name ?? '')}
    </Button>
  )
  return (
    <>
      <StepItem number={2} title={t.message.title} state={isAnswered || record !== null ? 'done' : 'now'}>
        {way !== undefined && model !== undefined ? (
          <TestMessage
            keyId={apiKey.id}
            asked={{ model, protocol: way.protocol }}
            look="primary"
            onAnswered={() => setAnswered(true)}
            next={next}
          />
        ) : (
          <p className="text-ink-2">{t.message.noModel}</p>
        )}
      </StepItem>
      <StepItem number={3} title={t.client.title} state={configured} head={clientStep}>
        <ClientStep setup={setup} choice={choice} />
      </StepItem>
      <StepItem number={4} title={t.enter.title} state={configured}>
        <EnterStep setup={setup} choice={choice} secret={secret} onCopied={props.onCopied} />
      </StepItem>
      <StepItem number={5} title={t.record.title} state={record !== null ? 'done' : isCopied ? 'now' : 'next'} isLast>
        {record === null ? (
          <div className="grid grid-cols-1 gap-2.5">
            <p className="text-ink-2">{plan.blocks.at(-1)?.sends === true ? t.record.inBlock : t.record.inClient}</p>
            <LiveLine keyId={apiKey.id} since={apiKey.created_at} onDone={setRecord} />
          </div>
        ) : (
          <SuccessCard record={record} keyId={apiKey.id} secret={secret} onCopied={props.onCopied} />
        )}
      </StepItem>
    </>
  )
}

/** Asks before the page is left with a secret that was not copied. */
function LeaveGuard({ isArmed }: { readonly isArmed: boolean }): ReactNode {
  const t = useTexts('start').leave
  const blocker = useBlocker({
    shouldBlockFn: () => isArmed,
    enableBeforeUnload: () => isArmed,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t.title}
      action={t.action}
      cancel={t.stay}
      isDangerous
      onConfirm={() => blocker.proceed?.()}
    >
      {t.text}
    </ConfirmDialog>
  )
}
