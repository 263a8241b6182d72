import type { ReactNode } from 'react'
import type { KeySetup } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { BeforeSteps, SetUpAdvice } from '../../keys/set-up/set-up-guide.tsx'
import { SetUpModels } from '../../keys/set-up/set-up-models.tsx'
import { StepBody } from '../../keys/set-up/set-up-steps.tsx'
import { setUpValues, type SetUpChoice } from '../../keys/set-up/use-set-up-choice.ts'
import { startPlan, type StartPlan } from './start-blocks.ts'

interface EnterStepProps {
  readonly setup: KeySetup
  readonly choice: SetUpChoice
  readonly secret: string | null
  /** Something with the secret in it was copied. */
  onCopied(): void
}

/** What goes into the client: base URL, key and model, in as few blocks as it takes, which is mostly one. */
export function EnterStep(props: EnterStepProps): ReactNode {
  const t = useTexts('start').enter
  const k = useTexts('keys').setUp
  const s = useTexts('setup')
  const { choice } = props
  const { way, system } = choice
  if (way === undefined || system === undefined) return null
  const plan = planOf(props)
  const blocks = <Blocks {...props} plan={plan} />
  return (
    <div className="grid grid-cols-1 gap-4">
      {props.secret === null && <Notice>{t.placeholder}</Notice>}
      {choice.client !== undefined && <BeforeSteps {...props} client={choice.client} />}
      {way.systems.length > 1 ? (
        <div>
          <Tabs
            label={k.system}
            tabs={way.systems.map((each) => ({ value: each.system, label: s.systems[each.system] }))}
            value={system.system}
            onValue={choice.setSystem}
          >
            {blocks}
          </Tabs>
        </div>
      ) : (
        blocks
      )}
      <Disclosure title={t.more} summary={choice.models.model}>
        <div className="grid grid-cols-1 gap-4">
          <SetUpModels choice={choice} way={way} setup={props.setup} />
          {choice.client !== undefined && <SetUpAdvice client={choice.client} />}
        </div>
      </Disclosure>
    </div>
  )
}

/** What there is to copy for the choice, filled in. */
export function planOf({ setup, choice, secret }: Omit<EnterStepProps, 'onCopied'>): StartPlan {
  return startPlan(choice.system?.steps ?? [], setUpValues(setup, choice.models, secret))
}

function Blocks({ plan, setup, choice, secret, onCopied }: EnterStepProps & { readonly plan: StartPlan }): ReactNode {
  const t = useTexts('start').enter
  const s = useTexts('setup')
  return (
    <div className="grid grid-cols-1 gap-3">
      {plan.blocks.map((block) => (
        <div key={`${block.path ?? 'terminal'} ${block.sends}`} className="grid grid-cols-1 gap-2">
          <CodeBlock
            title={block.path === null ? t.terminal : t.file(block.path)}
            text={block.text}
            isNext={block.hasSecret && secret !== null}
            {...(block.hasSecret ? { onCopied } : {})}
          />
          {block.note !== null && <p className="text-sm text-ink-3">{s.notes[block.note]}</p>}
        </div>
      ))}
      {plan.settings.map((step) => (
        <StepBody key={step.where} step={step} values={setUpValues(setup, choice.models, secret)} onCopied={onCopied} />
      ))}
      {plan.install !== null && (
        <p className="text-sm text-ink-3">
          {t.install} <code className="font-mono text-ink-2 select-all">{plan.install}</code>
        </p>
      )}
    </div>
  )
}
