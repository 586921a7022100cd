{{- define "rawmill.name" -}}
{{- if contains "rawmill" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-rawmill" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rawmill.selector" -}}
app.kubernetes.io/name: rawmill
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rawmill.labels" -}}
{{ include "rawmill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What every pod has: who it is, which is nobody, and nothing of the cluster's own interface. */}}
{{- define "rawmill.pod" -}}
serviceAccountName: {{ include "rawmill.name" . }}
automountServiceAccountToken: false
{{- /* A service named rawmill-kafka would else set RAWMILL_KAFKA_… variables, which are Kafka properties here. */}}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- with .Values.storage.user }}
  runAsUser: {{ . }}
  {{- end }}
  {{- with .Values.storage.group }}
  runAsGroup: {{ . }}
  {{- end }}
  {{- with .Values.storage.supplementalGroups }}
  supplementalGroups: {{ toJson . }}
  {{- end }}
  {{- with .Values.storage.fsGroup }}
  fsGroup: {{ . }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "rawmill.container" -}}
image: {{ printf "%s:%s" (required "image.repository: say where your nodes get the image from, such as registry.example.org/rawmill (Deploy/Dockerfile builds it)" .Values.image.repository) (.Values.image.tag | default .Chart.AppVersion) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env:
  - {name: RAWMILL_LISTEN, value: ":9464"}
  # Who shares the group may change what a pod makes: other pods, and people with their photos.
  - {name: RAWMILL_UMASK, value: "0002"}
  {{- with .Values.tracing.endpoint }}
  - {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
  {{- end }}
{{- end }}

{{/* Where a pod that stays has its settings. */}}
{{- define "rawmill.settingsVariable" -}}
- {name: RAWMILL_SETTINGS, value: /etc/rawmill/settings/rawmill.yaml}
{{- end }}

{{/* Where the tables are, without a password. */}}
{{- define "rawmill.database" -}}
{{- with .Values.database.address }}
{{- . }}
{{- with $.Values.database.secretKeys.ca }}{{ contains "?" $.Values.database.address | ternary "&" "?" }}sslrootcert=/etc/rawmill/database/{{ . }}{{ end }}
{{- end }}
{{- end }}

{{/* Of pods that write to the database. libpq takes no file that a group can read, as those of a secret are. */}}
{{- define "rawmill.databaseVariables" -}}
{{- if and .Values.database.address .Values.database.secretKeys.password }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret: name the secret that has the password" .Values.database.existingSecret | quote }}
      key: {{ .Values.database.secretKeys.password | quote }}
{{- end }}
{{- end }}

{{- define "rawmill.databaseMount" -}}
{{- if and .Values.database.address .Values.database.secretKeys.ca }}
- {name: database, mountPath: /etc/rawmill/database, readOnly: true}
{{- end }}
{{- end }}

{{/* The certificate alone. */}}
{{- define "rawmill.databaseVolume" -}}
{{- if and .Values.database.address .Values.database.secretKeys.ca }}
- name: database
  secret:
    secretName: {{ required "database.existingSecret: name the secret that has the certificate" .Values.database.existingSecret | quote }}
    defaultMode: 0440
    items: [{key: {{ .Values.database.secretKeys.ca | quote }}, path: {{ .Values.database.secretKeys.ca | quote }}}]
{{- end }}
{{- end }}

{{/* Files have one writer. */}}
{{- define "rawmill.replicas" -}}
{{- if and (gt (int .replicas) 1) (not .values.database.address) }}{{ fail (printf "%s.replicas: more than one needs a database (database.address)" .role) }}{{ end -}}
{{ .replicas }}
{{- end }}

{{/* Alive and ready are two questions: a process that waits for Kafka is alive, and a new one would not be better. */}}
{{- define "rawmill.probes" -}}
ports:
  - {name: http, containerPort: 9464}
startupProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 20
  timeoutSeconds: 5
readinessProbe:
  httpGet: {path: /readyz, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
{{- end }}

{{/* Options of every command that talks to Kafka. */}}
{{- define "rawmill.kafka" -}}
{{- if not .Values.kafka.brokers }}{{ fail "kafka.brokers: say where Kafka is, [host:port]" }}{{ end -}}
- {{ printf "--broker=kafka://%s" (join "," .Values.kafka.brokers) | quote }}
- {{ printf "--cluster-name=%s" .Values.clusterName | quote }}
- {{ printf "--log-level=%s" .Values.log.level | quote }}
- {{ printf "--log-format=%s" .Values.log.format | quote }}
{{- range $name, $value := .Values.kafka.properties }}
- {{ printf "--kafka-property=%s=%v" $name $value | quote }}
{{- end }}
{{- if .Values.kafka.existingSecret }}
{{- $properties := dict "ca" "ssl.ca.location" "certificate" "ssl.certificate.location" "privateKey" "ssl.key.location" "username" "sasl.username.file" "password" "sasl.password.file" }}
{{- range $what, $key := .Values.kafka.secretKeys }}
{{- if $key }}
- {{ printf "--kafka-property=%s=/etc/rawmill/kafka/%s" (get $properties $what) $key | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* What all commands have in common, as a settings file: `kubectl exec POD -- rawmill status` needs no option. */}}
{{- define "rawmill.settings" -}}
{{- if not .Values.kafka.brokers }}{{ fail "kafka.brokers: say where Kafka is, [host:port]" }}{{ end -}}
{{- $properties := dict }}
{{- range $name, $value := .Values.kafka.properties }}
{{- $_ := set $properties $name (printf "%v" $value) }}
{{- end }}
{{- if .Values.kafka.existingSecret }}
{{- $names := dict "ca" "ssl.ca.location" "certificate" "ssl.certificate.location" "privateKey" "ssl.key.location" "username" "sasl.username.file" "password" "sasl.password.file" }}
{{- range $what, $key := .Values.kafka.secretKeys }}
{{- if $key }}
{{- $_ := set $properties (get $names $what) (printf "/etc/rawmill/kafka/%s" $key) }}
{{- end }}
{{- end }}
{{- end }}
{{- $roots := dict "library" "/mnt/library" }}
{{- range $name, $claim := .Values.storage.archives }}
{{- $_ := set $roots $name (printf "/mnt/archives/%s" $name) }}
{{- end }}
broker: {{ printf "kafka://%s" (join "," .Values.kafka.brokers) | quote }}
cluster-name: {{ .Values.clusterName | quote }}
{{- with include "rawmill.database" . }}
database: {{ . | quote }}
{{- end }}
{{- with $properties }}
kafka-property:
  {{- toYaml . | nindent 2 }}
{{- end }}
root:
  {{- toYaml $roots | nindent 2 }}
{{- range $role := list "coordinator" "worker" "catalogue" }}
{{ $role }}:
  log-level: {{ $.Values.log.level | quote }}
  log-format: {{ $.Values.log.format | quote }}
  {{- if eq $role "catalogue" }}
  library: /mnt/library
  {{- end }}
{{- end }}
audit:
  library: /mnt/library
{{- end }}

{{/* A pod that reads its settings when it starts is replaced when they change. */}}
{{- define "rawmill.annotations" -}}
annotations: {rawmill.org/settings: {{ include "rawmill.settings" . | sha256sum | trunc 16 | quote }}}
{{- end }}

{{/* Whether KEDA is to scale, and is there. */}}
{{- define "rawmill.scales" -}}
{{- if and .Values.keda.enabled (.Capabilities.APIVersions.Has "keda.sh/v1alpha1") }}true{{ end }}
{{- end }}

{{- define "rawmill.kafkaMount" -}}
{{- if .Values.kafka.existingSecret }}
- {name: kafka, mountPath: /etc/rawmill/kafka, readOnly: true}
{{- end }}
{{- end }}

{{- define "rawmill.kafkaVolume" -}}
{{- with .Values.kafka.existingSecret }}
- name: kafka
  secret: {secretName: {{ . | quote }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{- define "rawmill.mounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: settings, mountPath: /etc/rawmill/settings, readOnly: true}
- name: library
  mountPath: /mnt/library
  {{- with .Values.storage.library.subPath }}
  subPath: {{ . | quote }}
  {{- end }}
{{- range $name, $claim := .Values.storage.archives }}
- name: archive-{{ $name }}
  mountPath: /mnt/archives/{{ $name }}
  readOnly: true
  {{- with $claim.subPath }}
  subPath: {{ . | quote }}
  {{- end }}
{{- end }}
{{- include "rawmill.kafkaMount" . }}
{{- end }}

{{- define "rawmill.volumes" -}}
- {name: tmp, emptyDir: {}}
- name: settings
  configMap: {name: {{ include "rawmill.name" . }}-settings}
- name: library
  persistentVolumeClaim:
    claimName: {{ required "storage.library.existingClaim: name the claim of the library" .Values.storage.library.existingClaim | quote }}
{{- range $name, $claim := .Values.storage.archives }}
- name: archive-{{ $name }}
  persistentVolumeClaim: {claimName: {{ $claim.existingClaim | quote }}, readOnly: true}
{{- end }}
{{- include "rawmill.kafkaVolume" . }}
{{- end }}
