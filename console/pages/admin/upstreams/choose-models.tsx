import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { type Chosen, chosenPrice } from './chosen-price.ts'
import type { Found } from './address-form.ts'
import { newNames, PROTOCOLS } from './found-address.ts'
import { GroupChoice } from './group-choice.tsx'
import { ModelChoice, usePriceProblem } from './model-choice.tsx'
import { SetUpDone } from './set-up-done.tsx'
import { setUpUpstream, type UpstreamMade } from './set-up-upstream.ts'
import { ProbeSteps } from './trial-result.tsx'
import { protocolsOf } from './vendors.ts'

/** What was found, which models are to be served and to whom; then what came of it. */
export function ChooseModels(props: { readonly found: Found; onBack(): void }): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.adding
  const words = useTexts('connecting')
  const { probe, others, address, connection } = props.found
  const { data: known = [] } = useQuery(modelsQuery)
  const [sent, setSent] = useState(0)
  const [made, setMade] = useState<UpstreamMade | null>(null)
  const problemOfPrices = usePriceProblem()
  const isAccepted = (index: number): boolean => index === 0 || others[index - 1] === true
  const accepted = connection.credentials.filter((_, index) => isAccepted(index))
  const names = newNames([], accepted.length)
  const credentials = accepted.map((credential, index) => ({ name: names[index] ?? '', ...credential }))
  const [listed, setListed] = useState(() => [...new Set([...connection.models, ...probe.models])])
  const form = useForm({
    initial: {
      protocol: connection.protocol ?? 'openai-chat',
      models: new Map(connection.models.map((name) => [name, NO_PRICE])) as ReadonlyMap<string, Chosen>,
      groups: [] as readonly GroupView[],
    },
    fields: ['models'],
    check: ({ models }) => {
      const wrong = problemOfPrices(models.values())
      return wrong === undefined ? {} : { models: wrong }
    },
    send: ({ protocol, models, groups }, { key }) => {
      setSent(0)
      const { models: _, ...reached } = connection
      return setUpUpstream(
        {
          upstream: { ...reached, name: address.name.trim(), protocol, credentials },
          models: [...models].map(([name, each]) => ({ name, price: chosenPrice(each) })),
          groups,
        },
        { known, idempotencyKey: key },
        setSent,
      )
    },
    onDone: setMade,
    refreshes: ['upstreams', 'models', 'groups', 'attention'],
  })
  if (made !== null) return <SetUpDone made={made} credentials={credentials} />
  const { models } = form.values
  const protocols = connection.dialect === undefined ? PROTOCOLS : protocolsOf(connection.dialect)
  return (
    <Form
      submission={form}
      foot={
        <div className="flex flex-wrap items-center justify-end gap-2">
          {form.isSending && (
            <p role="status" className="mr-auto text-sm text-ink-3">
              {t.progress(sent, models.size)}
            </p>
          )}
          <Button onClick={props.onBack}>{t.again}</Button>
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {models.size === 0 ? t.create : t.createWith(models.size)}
          </Button>
        </div>
      }
    >
      <Disclosure title={t.found} summary={`${form.values.protocol} · ${connection.base_url}`}>
        <div className="grid gap-4">
          <SelectField
            {...form.choice('protocol', t.protocol)}
            options={protocols.map((value) => ({ value, label: value }))}
          />
          <ProbeSteps steps={probe.steps} />
        </div>
      </Disclosure>
      {connection.credentials.length > 1 && (
        <CredentialList areAccepted={connection.credentials.map((_, at) => isAccepted(at))} />
      )}
      {probe.protocol === null && <Notice>{words.noList}</Notice>}
      <ModelChoice
        title={probe.protocol === null ? texts.columns.models : t.models(probe.models.length)}
        baseUrl={connection.base_url}
        vendor={address.vendor}
        models={listed.map((model) => ({ model, kind: probe.kinds[model] ?? 'chat' }))}
        onNamed={(names) => setListed([...names, ...listed])}
        chosen={models}
        onChosen={(chosen) => form.change({ models: chosen })}
        error={form.errorOf('models')}
      />
      <GroupChoice chosen={form.values.groups} onChosen={(groups) => form.change({ groups })} />
    </Form>
  )
}

const NO_PRICE: Chosen = { input: '', output: '', listed: null }

/** Says of each credential whether it was accepted; the others are not added. */
function CredentialList({ areAccepted }: { readonly areAccepted: readonly boolean[] }): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('upstreams').adding
  return (
    <ul className="grid gap-1 text-sm">
      {areAccepted.map((isTaken, index) => (
        <li key={t.credential(index + 1)} className="flex gap-2">
          <Icon
            name={isTaken ? 'check' : 'warning'}
            className={`mt-0.5 shrink-0 ${isTaken ? 'text-good' : 'text-bad'}`}
          />
          {shared.labelled(t.credential(index + 1), isTaken ? t.takes : t.refused)}
        </li>
      ))}
    </ul>
  )
}
