import { queryOptions } from '@tanstack/react-query'
import type { DiagnosisAsked, DiagnosisView } from '../../src/contract/diagnosis.ts'
import { request } from './request.ts'

/** What the gateway knows of it now. Nothing secret is asked with. */
export const diagnosisQuery = (asked: DiagnosisAsked) =>
  queryOptions({
    queryKey: ['diagnosis', asked],
    queryFn: ({ signal }) => request<DiagnosisView>('/api/diagnose', { method: 'POST', body: asked, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
