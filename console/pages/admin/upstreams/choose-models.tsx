import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { addToGroup, type ServedModel, serveModel } from '../../../api/catalogue-changes.ts'
import { modelsQuery } from '../../../api/models.ts'
import { createUpstream, type NewUpstream, tryUpstream } from '../../../api/upstream-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { type Found, newNames, PROTOCOLS, secretsIn } from './found-address.ts'
import { type Chosen, chosenPrice, GroupChoice, ModelChoice, usePriceProblem } from './model-choice.tsx'
import { ProbeSteps, TrialResult } from './trial-result.tsx'

/** What was found, which models are to be served and to whom; then what came of it. */
export function ChooseModels(props: { readonly found: Found; onBack(): void; onClose(): void }): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('upstreams').adding
  const { probe, others, address } = props.found
  const { data: known = [] } = useQuery(modelsQuery)
  const [steps, setSteps] = useState<readonly SetUpStep[]>([])
  const [result, setResult] = useState<SetUpResult | null>(null)
  const problemOfPrices = usePriceProblem()
  const secrets = secretsIn(address.credential)
  const accepted = secrets.filter((_, index) => index === 0 || others[index - 1] === true)
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
      setSteps([])
      const names = newNames([], accepted.length)
      return setUpUpstream(
        {
          upstream: {
            name: address.name.trim(),
            protocol,
            base_url: probe.base_url,
            proxy_url: address.proxy_url.trim() || null,
            credentials: accepted.map((secret, index) => ({ name: names[index] ?? '', secret })),
          },
          models: [...models].map(([name, each]) => ({ name, price: chosenPrice(each) })),
          groups,
        },
        { known, idempotencyKey: key },
        (step) => setSteps((before) => [...before, step]),
      )
    },
    onDone: setResult,
    refreshes: ['upstreams', 'models', 'groups', 'attention'],
  })
  if (result !== null) {
    return (
      <div className="grid gap-4">
        <h3 className="font-medium">{t.created}</h3>
        <SetUpSteps steps={steps} />
        {result.trial !== null && <TrialResult trial={result.trial} />}
        <div>
          <Link
            to={ADMIN_PATHS.upstream}
            params={{ upstreamId: result.upstream.id }}
            className={buttonClass('primary')}
          >
            {t.open}
          </Link>
        </div>
      </div>
    )
  }
  return (
    <Form
      submission={form}
      foot={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onBack}>{t.again}</Button>
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {t.create}
          </Button>
        </div>
      }
    >
      <ProbeSteps steps={probe.steps} />
      {secrets.length > 1 && (
        <ul className="grid gap-1 text-sm">
          {secrets.map((secret, index) => {
            const isTaken = accepted.includes(secret)
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
      )}
      <SelectField
        {...form.choice('protocol', t.protocol)}
        options={PROTOCOLS.map((value) => ({ value, label: value }))}
      />
      <ModelChoice
        title={t.models(probe.models.length)}
        baseUrl={probe.base_url}
        models={probe.models}
        chosen={form.values.models}
        onChosen={(models) => form.change({ models })}
        error={form.errorOf('models')}
      />
      <GroupChoice chosen={form.values.groups} onChosen={(groups) => form.change({ groups })} />
      {steps.length > 0 && <SetUpSteps steps={steps} />}
    </Form>
  )
}

function SetUpSteps({ steps }: { readonly steps: readonly SetUpStep[] }): ReactNode {
  const t = useTexts('upstreams').adding.steps
  const problemText = useProblemText()
  return (
    <ol className="grid gap-1" role="status">
      {steps.map(({ what, name, error }) => (
        <li key={`${what} ${name}`} className="flex gap-2">
          <Icon
            name={error === null ? 'check' : 'warning'}
            className={`mt-0.75 ${error === null ? 'text-good' : 'text-bad'}`}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {what === 'upstream' ? t.upstream : t[what](name)}
            {error !== null && <span className="block text-sm text-bad">{problemText(error)}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface NewUpstreamSetup {
  readonly upstream: NewUpstream
  readonly models: readonly Pick<ServedModel, 'name' | 'price'>[]
  readonly groups: readonly GroupView[]
}

interface SetUpStep {
  readonly what: 'upstream' | 'model' | 'group' | 'answer'
  readonly name: string
  /** null: it went well. */
  readonly error: unknown
}

interface SetUpResult {
  readonly upstream: UpstreamView
  /** null: there was nothing to ask for. */
  readonly trial: UpstreamTrialView | null
}

/**
 * Creates an upstream with its models, puts them in groups, and ends with one real answer. Each step is reported; rejects
 * where the upstream itself cannot be created, and goes on after any other step.
 */
async function setUpUpstream(
  setup: NewUpstreamSetup,
  at: { readonly known: readonly ModelView[]; readonly idempotencyKey: string },
  report: (step: SetUpStep) => void,
): Promise<SetUpResult> {
  const upstream = await createUpstream(setup.upstream, at.idempotencyKey)
  report({ what: 'upstream', name: upstream.name, error: null })
  const step = async (what: SetUpStep['what'], name: string, run: () => Promise<unknown>): Promise<boolean> => {
    const error: unknown = await run().then(
      () => null,
      (cause: unknown) => cause,
    )
    report({ what, name, error })
    return error === null
  }
  const served: string[] = []
  for (const { name, price } of setup.models) {
    if (await step('model', name, () => serveModel({ name, price, upstream: upstream.name }, at.known)))
      served.push(name)
  }
  for (const group of served.length === 0 ? [] : setup.groups) {
    await step('group', group.name, () => addToGroup(group, served))
  }
  const [first] = served
  let trial: UpstreamTrialView | null = null
  if (first !== undefined) {
    await step('answer', first, async () => {
      trial = await tryUpstream(upstream.id, { model: first })
    })
  }
  return { upstream, trial }
}
