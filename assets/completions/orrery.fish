# Completion of orrery for fish. Now: orrery completions fish | source. For good, into the file
# ~/.config/fish/completions/orrery.fish

function __orrery_offers
    set -l before (commandline -opc)
    set -l now (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $before[1])
    set -e before[1]
    # Behind --output= and weight= only what follows is the file's name.
    set -l option (string match -r '^(?:--[^=]*|[a-z0-9_]+)=' -- $now)
    set -l path (string replace -r '^(?:--[^=]*|[a-z0-9_]+)=' '' -- $now)
    for line in ($program __complete $before "$now" 2>/dev/null)
        set -l part (string split -m 1 \t -- $line)
        switch $part[1]
            case :files
                # As fish completes any file: behind ~ too, and names that are typed with a backslash or in quotes.
                for file in (complete -C "__fish_command_without_completions $path")
                    set -l name (string split -m 1 \t -- $file)[1]
                    set -l ending (string match -r '\.[^./]*$' -- $name)
                    if string match -q '*/' -- $name; or test -z "$part[2]"; or contains -- "$ending" (string split ' ' -- $part[2])
                        echo "$option$name"
                    end
                end
            case :folder
                for folder in (__fish_complete_directories "$path" '')
                    echo "$option$folder"
                end
            case '*'
                echo $line
        end
    end
end

complete -c orrery -f -a '(__orrery_offers)'
