import type { DiagnosisAsked, DiagnosisView } from '../../src/contract/diagnosis.ts'
import type { RouteAnswer } from '../../src/contract/route.ts'
import { read } from './request.ts'

/** What the gateway knows of it now. Nothing secret is asked with. */
export const diagnosisQuery = (asked: DiagnosisAsked) =>
  read<DiagnosisView>(['diagnosis', asked], '/api/diagnose', {
    method: 'POST',
    body: asked,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export interface RouteQuestion {
  readonly account: string
  readonly key: string
  readonly model: string
  readonly protocol: string
}

/** Where such a request would go now. */
export const routeQuery = (asked: RouteQuestion) =>
  read<RouteAnswer>(['route', asked], '/api/route', {
    query: { ...asked },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
