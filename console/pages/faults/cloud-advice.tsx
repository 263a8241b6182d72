import type { ReactNode } from 'react'
import { explainCloudRefusal } from '../../../src/causes/cloud-refusal-texts.ts'
import { cloudRefusalIn } from '../../../src/causes/cloud-refusals.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { usePreferences } from '../../preferences.ts'

/** What a cloud’s refusal means, and what to do; nothing for other words of providers. */
export default function CloudAdvice({ said }: { readonly said: string }): ReactNode {
  const { language } = usePreferences()
  const { sentences } = useSharedTexts()
  const refusal = cloudRefusalIn(said)
  if (refusal === null) return null
  const { cause, remedy } = explainCloudRefusal(refusal, language === 'zh-CN' ? 'zh' : 'en')
  return <span className="block text-sm [overflow-wrap:anywhere]">{sentences([cause, remedy])}</span>
}
