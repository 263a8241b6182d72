import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Chosen, chosenPrice, ModelChoice, usePriceObjection } from './model-choice.tsx'
import { type Found, proxyOf, secretsOf } from './found-address.ts'
import { GroupChoice } from './group-choice.tsx'
import { ProbeSteps } from './probe-steps.tsx'
import { setUpUpstream, type SetUpResult, type SetUpStep } from './set-up-upstream.ts'
import { TrialResult } from './trial-result.tsx'

const PROTOCOLS = ['openai', 'openai-chat', 'anthropic', 'gemini'] as const

/** What was found, which models are to be served and to whom; then what came of it. */
export function ChooseModels(props: { readonly found: Found; onBack(): void; onClose(): void }): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('upstreams').adding
  const { probe, others, draft } = props.found
  const queries = useQueryClient()
  const { data: known = [] } = useQuery(modelsQuery)
  const [protocol, setProtocol] = useState(probe.protocol ?? 'openai-chat')
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map())
  const [groups, setGroups] = useState<readonly GroupView[]>([])
  const [steps, setSteps] = useState<readonly SetUpStep[]>([])
  const [result, setResult] = useState<SetUpResult | null>(null)
  const objectionToPrices = usePriceObjection()
  const secrets = secretsOf(draft)
  const accepted = secrets.filter((_, index) => index === 0 || others[index - 1] === true)
  const submission = useSubmission({
    fields: ['models', 'name'],
    check: (): FieldErrors => {
      const wrong = objectionToPrices(chosen.values())
      return wrong === undefined ? {} : { models: wrong }
    },
    send: (idempotencyKey) => {
      setSteps([])
      return setUpUpstream(
        {
          upstream: {
            name: draft.name.trim(),
            protocol,
            base_url: probe.base_url,
            proxy_url: proxyOf(draft),
            credentials: accepted.map((secret, index) => ({ name: nameAt(index), secret })),
          },
          models: [...chosen].map(([name, each]) => ({ name, price: chosenPrice(each) })),
          groups,
        },
        { known, idempotencyKey },
        (step) => setSteps((before) => [...before, step]),
      )
    },
    onDone: (made) => {
      setResult(made)
      for (const name of ['upstreams', 'models', 'groups', 'attention']) {
        void queries.invalidateQueries({ queryKey: [name] })
      }
    },
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
      submission={submission}
      foot={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onBack}>{t.again}</Button>
          <Button type="submit" look="primary" isBusy={submission.isSending}>
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
        name="protocol"
        label={t.protocol}
        value={protocol}
        onValue={setProtocol}
        options={PROTOCOLS.map((value) => ({ value, label: value }))}
      />
      <ModelChoice
        title={t.models(probe.models.length)}
        baseUrl={probe.base_url}
        models={probe.models}
        chosen={chosen}
        onChosen={setChosen}
        error={submission.errorOf('models')}
      />
      <GroupChoice chosen={groups} onChosen={setGroups} />
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

/** Names of a new pool: the first is what an upstream's only credential is called. */
function nameAt(index: number): string {
  return index === 0 ? 'default' : `credential ${index + 1}`
}
