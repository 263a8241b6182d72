import type { ReactNode } from 'react'
import { explainAnswered } from '../../../src/causes/answerer-texts.ts'
import { explainCloudRefusal } from '../../../src/causes/cloud-refusal-texts.ts'
import { explainFailure } from '../../../src/causes/connection-texts.ts'
import type { Explanation } from '../../../src/causes/explanation.ts'
import { explainStatus } from '../../../src/causes/status-texts.ts'
import { usePreferences } from '../../preferences.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Finding } from './findings-from.ts'

/** A finding about a request that another answered, or refused to this gateway. */
type ElsewhereFound = Extract<Finding, { kind: 'failure' | 'answered' | 'cloud' | 'status' }>

/** What happened to a request that another answered, or refused to this gateway, and what to do. */
export default function ElsewhereFinding(props: {
  readonly finding: ElsewhereFound
  readonly children: ReactNode
}): ReactNode {
  const { language } = usePreferences()
  const { cause, remedy } = explained(props.finding, language === 'zh-CN' ? 'zh' : 'en')
  return (
    <Notice tone="bad" title={cause}>
      <p>{remedy}</p>
      {props.children}
    </Notice>
  )
}

function explained(finding: ElsewhereFound, language: 'en' | 'zh'): Explanation {
  switch (finding.kind) {
    case 'failure':
      return explainFailure(finding.failure, language)
    case 'answered':
      return explainAnswered(finding.answered, finding.status, language)
    case 'cloud':
      return explainCloudRefusal(finding.refusal, language)
    case 'status':
      return explainStatus(finding.status, language)
  }
}
