import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { KeySetup } from '../../../../src/contract/setup.ts'
import { keySetupQuery } from '../../../api/key-setup.ts'
import type { MadeKey } from '../../../api/keys.ts'
import { useNeedsCredit } from '../../../api/use-needs-credit.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
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
import { SuccessCard } from './success-card.tsx'

const AddCreditStep = lazyPart(() => import('./add-credit.tsx'))
const SecondClient = lazyPart(() => import('./second-client.tsx'), undefined, { isForFew: true })
const TestMessage = lazyPart(() => import('../../keys/test-message.tsx'))

/** Leads from no key to the first record, in five steps. The secret lives in the state of this component. */
export function FirstCall({ unusedKey }: { readonly unusedKey: ApiKeyView | null }): ReactNode {
  const t = useTexts('start')
  const queryClient = useQueryClient()
  const [apiKey, setKey] = useState(unusedKey)
  const [secret, setSecret] = useState<string | null>(null)
  const [pasted, setPasted] = useState('')
  const [isCopied, setCopied] = useState(false)
  const [record, setRecord] = useState<Try | null>(null)
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
  const guard = <LeaveGuard isArmed={secret !== null && !isCopied} />
  const atHand = secret ?? (apiKey === null ? null : usableSecret(pasted, apiKey))
  if (record !== null) {
    return (
      <>
        {guard}
        <SuccessCard record={record} secret={secret} onCopied={() => setCopied(true)}>
          {apiKey !== null && atHand !== null && <SecondClient keyId={apiKey.id} secret={atHand} />}
        </SuccessCard>
      </>
    )
  }
  return (
    <>
      {guard}
      <ol aria-label={t.steps} className="card p-4 sm:p-6">
        {neededCredit && <AddCreditStep isNeeded={needsCredit === true} />}
        <StepItem number={1} title={t.key.title} state={atHand === null ? 'now' : 'done'}>
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
            onDone={setRecord}
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
      <StepItem number={2} title={t.client.title} state="later" later={t.client.later} />
      <StepItem number={3} title={t.enter.title} state="later" later={t.enter.later} />
      <StepItem number={4} title={t.message.title} state="later" later={t.message.later} />
      <StepItem number={5} title={t.record.title} state="later" later={t.record.later} isLast />
    </>
  )
}

interface WithKeyProps {
  readonly apiKey: ApiKeyView
  readonly secret: string | null
  readonly isCopied: boolean
  onCopied(): void
  onDone(record: Try): void
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

function ChosenSteps(props: WithKeyProps & { readonly setup: KeySetup }): ReactNode {
  const t = useTexts('start')
  const { setup, secret, isCopied } = props
  const choice = useSetUpChoice(setup)
  const plan = planOf({ setup, choice, secret })
  const last = plan.blocks.at(-1)
  const { model } = choice.models
  const isInBlock = last?.sends === true
  return (
    <>
      <StepItem number={2} title={t.client.title} state={isCopied ? 'done' : 'now'}>
        <ClientStep setup={setup} choice={choice} />
      </StepItem>
      <StepItem number={3} title={t.enter.title} state={isCopied ? 'done' : 'now'}>
        <EnterStep setup={setup} choice={choice} secret={secret} onCopied={props.onCopied} />
      </StepItem>
      <StepItem number={4} title={t.message.title} state={isCopied ? 'now' : 'next'}>
        <p className="text-ink-2">{isInBlock ? t.message.inBlock : t.message.inClient}</p>
        {choice.way !== undefined && model !== undefined && (
          <div className="mt-3 grid grid-cols-1 gap-2 border-t border-line pt-3">
            <p className="text-sm text-ink-2">{t.message.fromHere}</p>
            <TestMessage
              key={`${model} ${choice.way.protocol}`}
              keyId={props.apiKey.id}
              asked={{ model, protocol: choice.way.protocol }}
            />
          </div>
        )}
      </StepItem>
      <StepItem number={5} title={t.record.title} state={isCopied ? 'now' : 'next'} isLast>
        <LiveLine keyId={props.apiKey.id} since={props.apiKey.created_at} onDone={props.onDone} />
      </StepItem>
    </>
  )
}

/** Asks before the page is left with a secret that was not copied. */
function LeaveGuard({ isArmed }: { readonly isArmed: boolean }): ReactNode {
  const t = useTexts('start').leave
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isArmed && current.pathname !== next.pathname,
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
