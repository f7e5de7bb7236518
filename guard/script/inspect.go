package script

// showsEnvironment tells whether the part of "docker inspect" output at path (a container's, an image's, a service's or
// their podman kin's) can hold an environment, its own or that of a command line that was given one. Only parts that are
// known to hold none are granted: the objects of a Go template have further names for the whole.
func showsEnvironment(path []string) bool {
	holder := false
	for i, name := range path {
		switch {
		case listed(holders, name):
			holder = true
		case holder:
			return !listed(besideEnvironment, name)
		case name == "HostConfig": // LogConfig holds how its driver logs in, Mounts how those of volumes do
			return len(path) == i+1 || path[i+1] == "Mounts" || path[i+1] == "LogConfig" && !plainLogging(path[i+2:])
		default:
			return i > 0 || !listed(inspectParts, name)
		}
	}
	return true
}

// plainLogging tells whether a part of a log's configuration is none of the options by which its driver logs in.
func plainLogging(path []string) bool {
	return len(path) == 1 && path[0] == "Type" || len(path) == 2 && path[0] == "Config" && (path[1] == "max-size" || path[1] == "max-file")
}

const (
	// holders are objects with an environment among their members.
	holders = `Config ContainerConfig Spec PreviousSpec TaskTemplate ContainerSpec`

	// besideEnvironment are harmless members of such an object.
	besideEnvironment = `
		Annotations Args ArgsEscaped AttachStderr AttachStdin AttachStdout Availability CapabilityAdd CapabilityDrop Cmd Command Configs DNSConfig Dir
		Domainname EndpointSpec Entrypoint ExposedPorts ForceUpdate Groups HealthLogDestination HealthMaxLogCount HealthMaxLogSize Healthcheck
		HealthcheckOnFailureAction Hostname Hosts Image Init Isolation Labels MacAddress Mode Name NetworkDisabled Networks OnBuild OpenStdin Placement
		Privileges ReadOnly Resources RestartPolicy Role RollbackConfig Runtime Secrets Shell StartupHealthCheck StdinOnce StopGracePeriod StopSignal
		StopTimeout Sysctls SystemdMode TTY Timeout Tty Ulimits Umask UpdateConfig User Volumes WorkingDir sdNotifyMode sdNotifySocket`

	// inspectParts are harmless members of what inspect, ps, images, stats and the like show of one object.
	inspectParts = `
		Action Active Actor Anonymous AppArmorProfile Architecture Args Attachable Author Availability BlockIO BoundingCaps CPUPerc Command Comment ConfigFrom
		ConfigOnly ConmonPidFile Container Containers ContainersPaused ContainersRunning ContainersStopped Created CreatedAt CreatedSince CurrentState
		Dependencies Description DesiredState Digest DockerVersion Driver EffectiveCaps EnableIPv4 EnableIPv6 Endpoint Error ExecIDs ExitCode ExitCommand
		Exited ExitedAt GraphDriver Health HealthCheck HostConfig Hostname HostnamePath HostsPath ID IPAM Id Image ImageDigest ImageID ImageManifestDescriptor
		ImageName Images Ingress Internal IsInfra IsService JobStatus Label Labels LocalVolumes LockNumber LogPath ManagerStatus Manifest ManifestType MemPerc
		MemUsage Metadata Mode MountLabel Mountpoint Mounts Name NamesHistory Names Namespace NetIO NetworkSettings Networks NetworksAttachments Node NodeID
		OCIConfigPath OCIRuntime Os OsVersion PIDs Parent Path Peers PidFile Platform Pod PodName Ports ProcessLabel Project Publishers Reclaimable Replicas
		RepoDigests RepoTags Repository ResolvConfPath RestartCount Restarts RootFS Rootfs RunningFor Scope ServerVersion Service ServiceID ServiceStatus Size
		SizeRootFs SizeRw Slot State StaticDir Status Storage Tag TotalCount Type UpdateStatus UpdatedAt UsageData User Variant Version VirtualSize`
)
