import type { ReactNode } from 'react'
import type { KeySetup, SetupClient } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { addressInContainer, reachOf } from '../../../setup/address-reach.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { ClientChoice } from './client-choice.tsx'
import { SetUpModels } from './set-up-models.tsx'
import { SetUpSteps } from './set-up-steps.tsx'
import { SignInInstead } from './sign-in-instead.tsx'
import { type SetUpChoice, setUpValues, useSetUpChoice } from './use-set-up-choice.ts'

const OpenInApp = lazyPart(() => import('./open-in-app.tsx'))

/** A client, its terminal and its models to choose, then the texts to copy. `secret` null: a placeholder stands in them. */
export function SetUpGuide(props: {
  readonly setup: KeySetup
  readonly secret: string | null
  onCopied?(): void
}): ReactNode {
  const s = useTexts('setup')
  const choice = useSetUpChoice(props.setup)
  return (
    <div className="grid grid-cols-1 gap-4">
      <ClientChoice setup={props.setup} choice={choice} />
      {choice.client !== undefined && choice.way === undefined && (
        <Notice tone="warn" isLive>
          {s.unavailable[choice.client.unavailable ?? 'no_model_of_protocol']}
        </Notice>
      )}
      {choice.way !== undefined && <SetUpModels choice={choice} way={choice.way} setup={props.setup} />}
      {choice.client !== undefined && choice.way !== undefined && <BeforeSteps {...props} client={choice.client} />}
      <SystemSteps {...props} choice={choice} />
      {choice.client !== undefined && <SetUpAdvice client={choice.client} />}
    </div>
  )
}

/** What stands in the way of a client, and the link that saves its steps. */
export function BeforeSteps(props: {
  readonly setup: KeySetup
  readonly client: SetupClient
  readonly secret: string | null
  onCopied?(): void
}): ReactNode {
  return (
    <>
      <SignInInstead client={props.client.id} origin={props.setup.base_urls.anthropic} />
      <ReachNotice client={props.client} setup={props.setup} />
      {props.client.import !== null && <OpenInApp {...props} key={props.client.id} />}
    </>
  )
}

/** The texts for one terminal, with the others beside it as tabs where there are any. */
function SystemSteps(props: {
  readonly setup: KeySetup
  readonly secret: string | null
  readonly choice: SetUpChoice
  onCopied?(): void
}): ReactNode {
  const t = useTexts('keys')
  const s = useTexts('setup')
  const { way, system, models, setSystem } = props.choice
  if (way === undefined || system === undefined) return null
  const steps = (
    <SetUpSteps
      steps={system.steps}
      values={setUpValues(props.setup, models, props.secret)}
      {...(props.onCopied === undefined ? {} : { onCopied: props.onCopied })}
    />
  )
  if (way.systems.length < 2) return steps
  const tabs = way.systems.map((each) => ({ value: each.system, label: s.systems[each.system] }))
  return (
    <div>
      <Tabs label={t.setUp.system} tabs={tabs} value={system.system} onValue={setSystem}>
        {steps}
      </Tabs>
    </div>
  )
}

/** What to mind with a client. */
export function SetUpAdvice({ client }: { readonly client: SetupClient }): ReactNode {
  const t = useTexts('keys')
  const s = useTexts('setup')
  if (client.advice.length === 0) return null
  return (
    <div>
      <h3 className="text-sm text-ink-3">{t.setUp.goodToKnow}</h3>
      <ul className="mt-1.5 grid gap-1.5">
        {client.advice.map((advice) => (
          <li key={advice} className="flex gap-2 text-ink-2">
            <Icon name="info" className="mt-0.75 text-ink-3" />
            <span>{s.advice[advice]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What stands in the way where a client runs elsewhere than the reader: at its maker's, or in a container. */
function ReachNotice({ client, setup }: { readonly client: SetupClient; readonly setup: KeySetup }): ReactNode {
  const t = useTexts('keys').setUp
  const { openai, anthropic: origin } = setup.base_urls
  const reach = reachOf(origin)
  if (client.advice.includes('called_from_cloud') && reach !== 'everywhere') {
    return (
      <Notice tone="warn" isLive title={t.outOfReach(client.name, origin)}>
        {t.makeReachable}
      </Notice>
    )
  }
  if (client.advice.includes('called_from_container') && reach === 'machine') {
    return <CopyField label={t.inContainer(client.name)} value={addressInContainer(openai)} hint={t.containerHint} />
  }
  return null
}
