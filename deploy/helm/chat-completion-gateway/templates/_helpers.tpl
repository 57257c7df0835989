{{- define "gateway.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Of a pod: so much for each worker, unless the values say otherwise. */}}
{{- define "gateway.resources" -}}
{{- if .Values.resources -}}
{{- toYaml .Values.resources -}}
{{- else -}}
requests:
  cpu: {{ mul 1000 .Values.workers }}m
  memory: {{ mul 512 .Values.workers }}Mi
limits:
  memory: {{ mul 2 .Values.workers }}Gi
{{- end -}}
{{- end }}

{{/* The port of a URL: its own, or that of its scheme. */}}
{{- define "gateway.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) -}}
{{- $port | default (eq $url.scheme "https" | ternary "443" "80") -}}
{{- end }}

{{/* The most database connections of all pods, with one more pod during an upgrade. */}}
{{- define "gateway.connections" -}}
{{- $pods := ternary .Values.autoscaling.maxReplicas .Values.replicas .Values.autoscaling.enabled | int -}}
{{- mul (add $pods 1) (int .Values.workers) 20 -}}
{{- end -}}
