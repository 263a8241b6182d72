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
import { useForm } from '../../../forms/use-form.ts'
import { type Chosen, chosenPrice } from './chosen-price.ts'
import { type Found, newNames, PROTOCOLS, secretsIn } from './found-address.ts'
import { GroupChoice } from './group-choice.tsx'
import { ModelChoice, usePriceProblem } from './model-choice.tsx'
import { SetUpDone } from './set-up-done.tsx'
import { setUpUpstream, type UpstreamMade } from './set-up-upstream.ts'
import { ProbeSteps } from './trial-result.tsx'

/** What was found, which models are to be served and to whom; then what came of it. */
export function ChooseModels(props: { readonly found: Found; onBack(): void }): ReactNode {
  const t = useTexts('upstreams').adding
  const { probe, others, address } = props.found
  const { data: known = [] } = useQuery(modelsQuery)
  const [sent, setSent] = useState(0)
  const [made, setMade] = useState<UpstreamMade | null>(null)
  const problemOfPrices = usePriceProblem()
  const secrets = secretsIn(address.credential)
  const accepted = secrets.filter((_, index) => index === 0 || others[index - 1] === true)
  const names = newNames([], accepted.length)
  const credentials = accepted.map((secret, index) => ({ name: names[index] ?? '', secret }))
  const form = useForm({
    initial: {
      protocol: probe.protocol ?? 'openai-chat',
      models: new Map() as ReadonlyMap<string, Chosen>,
      groups: [] as readonly GroupView[],
    },
    fields: ['models'],
    check: ({ models }) => {
      const wrong = problemOfPrices(models.values())
      return wrong === undefined ? {} : { models: wrong }
    },
    send: ({ protocol, models, groups }, { key }) => {
      setSent(0)
      return setUpUpstream(
        {
          upstream: {
            name: address.name.trim(),
            protocol,
            base_url: probe.base_url,
            proxy_url: address.proxy_url.trim() || null,
            credentials,
          },
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
      <Disclosure title={t.found} summary={`${form.values.protocol} · ${probe.base_url}`}>
        <div className="grid gap-4">
          <SelectField
            {...form.choice('protocol', t.protocol)}
            options={PROTOCOLS.map((value) => ({ value, label: value }))}
          />
          <ProbeSteps steps={probe.steps} />
        </div>
      </Disclosure>
      {secrets.length > 1 && <SecretList secrets={secrets} accepted={accepted} />}
      <ModelChoice
        title={t.models(probe.models.length)}
        baseUrl={probe.base_url}
        models={probe.models.map((model) => ({ model, kind: probe.kinds[model] ?? 'chat' }))}
        chosen={models}
        onChosen={(chosen) => form.change({ models: chosen })}
        error={form.errorOf('models')}
      />
      <GroupChoice chosen={form.values.groups} onChosen={(groups) => form.change({ groups })} />
    </Form>
  )
}

/** Says of each credential whether it was accepted; the others are not added. */
function SecretList(of: { readonly secrets: readonly string[]; readonly accepted: readonly string[] }): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('upstreams').adding
  return (
    <ul className="grid gap-1 text-sm">
      {of.secrets.map((secret, index) => {
        const isTaken = of.accepted.includes(secret)
        return (
          <li key={secret} className="flex gap-2">
            <Icon
              name={isTaken ? 'check' : 'warning'}
              className={`mt-0.5 shrink-0 ${isTaken ? 'text-good' : 'text-bad'}`}
            />
            {shared.labelled(t.credential(index + 1), isTaken ? t.takes : t.refused)}
          </li>
        )
      })}
    </ul>
  )
}
